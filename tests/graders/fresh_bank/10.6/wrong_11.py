# question 10.6
# wrong: the caller's x is made to require a gradient and collects it: a second call with the same x gives the double at the first layer
# differs: two calls with the same x; after the first x.requires_grad is True and x.grad is set
def measure(branches, norm, x, upstream, wiring, share):
    x.requires_grad_()
    hs, shares = [x], []
    for f in branches:
        h = hs[-1]
        b = f(norm(h)) if wiring == "pre" else f(h)
        out = b if wiring == "plain" else h + b
        hs.append(norm(out) if wiring == "post" else out)
        hs[-1].retain_grad()
        shares.append((b.norm() / h.norm()).item())
    hs[-1].backward(upstream)
    gradients = [h.grad.norm().item() for h in hs[:-1]] + [upstream.norm().item()]
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
