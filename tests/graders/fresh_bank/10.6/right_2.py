# question 10.6
def measure(branches, norm, x, upstream, wiring, share):
    hs = [x.detach().clone().requires_grad_(True)]
    shares = []
    for f in branches:
        h = hs[-1]
        match wiring:
            case "plain":
                b = f(h)
                hs.append(b)
            case "residual":
                b = f(h)
                hs.append(h + b)
            case "post":
                b = f(h)
                hs.append(norm(h + b))
            case "pre":
                b = f(norm(h))
                hs.append(h + b)
        shares.append((b.norm() / h.norm()).item())
    grads = torch.autograd.grad(hs[-1], hs[:-1], grad_outputs=upstream)
    norms = [g.norm().item() for g in grads] + [upstream.norm().item()]
    below = [n for n in range(len(branches)) if norms[n] < share * norms[-1]]
    reach = len(branches) - 1 - below[-1] if below else len(branches)
    return dict(gradients=norms, shares=shares, reach=reach)


report = {
    "plain": 1.234e-05,
    "residual": 41.27,
    "post": 0.3127,
    "pre": 3.412,
    "reach": 13,
    "first": 0.5213,
    "last": 0.09871,
}
