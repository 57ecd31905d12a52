"""gradients of the sum of all losses, not of the last one"""


# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    total = 0.0
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
        total = total + loss(output).sum()
    (gradient,) = torch.autograd.grad(total, x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [1.29159, 1.43251, 16.1186], "lags": [19.6436, 22.4106, 26.7584]}
