"""half the sum of squares, whatever loss is given"""


# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad((output**2).sum() / 2, x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}
