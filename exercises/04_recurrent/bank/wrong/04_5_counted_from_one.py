"""distances that begin with 1"""


# loses: lag, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0) + 1
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [1.58352, 2.03753, 21.6248]}
