"""the logarithm of the ratio"""


# loses: ratio, reported ratios
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": (norms[0] / norms[-1]).log(), "lag": lag}


report = {"ratios": [-23.9227, -18.7619, -0.553741], "lags": [0.58352, 1.03753, 20.6248]}
