# question 10.6
# wrong: the gradient is followed object by object: it takes a branch's derivative for each object alone, so what objects get from each other is lost
# differs: a branch that mixes the objects, e.g. h.mean(1, keepdim=True).expand_as(h), with two objects
def measure(branches, norm, x, upstream, wiring, share):
    hs, shares = [x.detach().clone().requires_grad_()], []
    for f in branches:
        h = hs[-1]
        b = f(norm(h)) if wiring == "pre" else f(h)
        out = b if wiring == "plain" else h + b
        hs.append(norm(out) if wiring == "post" else out)
        shares.append((b.norm() / h.norm()).item())
    parts = []
    for t in range(x.shape[1]):
        only = torch.zeros_like(upstream)
        only[:, t] = upstream[:, t]
        grads = torch.autograd.grad(hs[-1], hs[:-1], only, retain_graph=True)
        parts.append([g[:, t] for g in grads])
    gradients = [torch.stack(p).norm().item() for p in zip(*parts)] + [upstream.norm().item()]
    reach = 0
    for g in reversed(gradients[:-1]):
        if g < share * gradients[-1]:
            break
        reach += 1
    return {"gradients": gradients, "shares": shares, "reach": reach}


report = {
    "plain": 1.234e-05,
    "residual": 41.27,
    "post": 0.3127,
    "pre": 3.412,
    "reach": 13,
    "first": 0.5213,
    "last": 0.09871,
}
