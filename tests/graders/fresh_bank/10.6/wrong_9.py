# question 10.6
# wrong: the share is that of the layer's output: norm of the branch over norm of the output
# differs: "residual", branch h / 2: 1/3 instead of 1/2
def measure(branches, norm, x, upstream, wiring, share):
    hs, shares = [x.detach().clone().requires_grad_()], []
    for f in branches:
        h = hs[-1]
        b = f(norm(h)) if wiring == "pre" else f(h)
        out = b if wiring == "plain" else h + b
        hs.append(norm(out) if wiring == "post" else out)
        shares.append((b.norm() / hs[-1].norm()).item())
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
