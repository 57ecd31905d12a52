# question 10.6
# wrong: in "pre" the line carries norm(h) instead of h
# differs: wiring "pre", norm = lambda h: h / 2, branch h: output h instead of 1.5 h
def measure(branches, norm, x, upstream, wiring, share):
    hs, shares = [x.detach().clone().requires_grad_()], []
    for f in branches:
        h = hs[-1]
        if wiring == "pre":
            n = norm(h)
            b = f(n)
            hs.append(n + b)
        else:
            b = f(h)
            out = b if wiring == "plain" else h + b
            hs.append(norm(out) if wiring == "post" else out)
        shares.append((b.norm() / h.norm()).item())
    grads = torch.autograd.grad(hs[-1], hs[:-1], upstream)
    gradients = [g.norm().item() for g in grads] + [upstream.norm().item()]
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
