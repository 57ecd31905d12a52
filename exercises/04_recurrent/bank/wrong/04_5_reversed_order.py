"""the numbers of the three cells in reverse order"""


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


report = {"ratios": [0.574795, 7.10882e-09, 4.07873e-11], "lags": [20.6248, 1.03753, 0.58352]}
