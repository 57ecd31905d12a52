"""the numbers of another seed"""


# loses: reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [2.90196e-12, 7.08007e-10, 0.637356], "lags": [0.830608, 1.03504, 20.1937]}
