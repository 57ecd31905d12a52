"""the last norm by the first"""


# loses: ratio, reported ratios
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[-1] / norms[0], "lag": lag}


report = {"ratios": [2.45175e+10, 1.4067e+08, 1.73975], "lags": [0.58352, 1.03753, 20.6248]}
