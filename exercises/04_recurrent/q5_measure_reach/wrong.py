"""Named mistakes in question 04.5."""


# %% absolute: sums of absolute values in place of Euclidean norms
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.abs().sum(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [3.07968e-11, 7.1094e-09, 0.594706], "lags": [0.580847, 1.01908, 20.9099]}


# %% all_losses: gradients of the sum of all losses, not of the last one
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


# %% averaged_features: root mean squares over the features in place of norms
# loses: norms, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.square().mean(dim=2).sqrt().mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% batch_norm: norms over the features of all sequences together
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.transpose(0, 1).flatten(1).norm(dim=1)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% by_distance: norms by distance, the last input first
# loses: norms, ratio, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0).flip(0)
    distance = torch.arange(len(norms))
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [2.45175e+10, 1.4067e+08, 1.73975], "lags": [0.58352, 1.03753, 20.6248]}


# %% counted_from_one: distances that begin with 1
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


# %% detached: a state that is cut off after each step
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        if isinstance(state, tuple):
            state = tuple(s.detach() if isinstance(s, torch.Tensor) else s for s in state)
        else:
            state = state.detach()
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [0, 0, 0], "lags": [0, 0, 0]}


# %% divided_by_time: a weighted sum divided by the number of inputs
# loses: lag, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / len(norms)
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.0259272, 0.00643251, 1.80999]}


# %% first_sequence: the first sequence of the batch alone
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient[0].norm(dim=1)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% from_the_start: the mean place from the start
# loses: lag, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms))
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [38.4165, 37.9625, 18.3752]}


# %% kept_from_zero: a small number added to what is divided by
# loses: ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / (norms.sum() + 1e-8)
    return {"norms": norms, "ratio": norms[0] / (norms[-1] + 1e-8), "lag": lag}


report = {"ratios": [4.07873e-11, 7.10881e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% lag_per_sequence: the mean of the sequences' lags
# loses: lag, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    each = gradient.norm(dim=2)
    lag = ((distance * each).sum(dim=1) / each.sum(dim=1)).mean()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% largest: the largest derivative in place of the norm
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.abs().amax(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [6.69409e-11, 7.06651e-09, 0.566597], "lags": [0.562149, 1.06927, 19.5408]}


# %% loss_mean: gradients of the mean of the losses
# loses: norms, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).mean(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% norm_of_mean: norms of gradients that were averaged over the batch
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.mean(dim=0).norm(dim=1)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% not_carried: the first state at every step
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, _ = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [0, 0, 0], "lags": [0, 0, 0]}


# %% not_divided: a weighted sum that is not divided by the weights
# loses: lag, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [1.03709, 0.2573, 72.3995]}


# %% other_order: the numbers of the three cells in another order
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


report = {"ratios": [7.1088e-9, 0.57480, 4.0787e-11], "lags": [1.0375, 20.625, 0.58352]}


# %% other_seed: the numbers of another seed
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


# %% own_loss: half the sum of squares, whatever loss is given
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


# %% ratio_inverted: the last norm by the first
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


# %% ratio_largest: the first norm by the largest
# loses: ratio, reported ratios
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms.max(), "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% ratio_log: the logarithm of the ratio
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


# %% ratio_neighbors: the ratio of the last two norms
# loses: ratio, reported ratios
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[-2:][0] / norms[-1], "lag": lag}


report = {"ratios": [0.244388, 0.495583, 0.311971], "lags": [0.58352, 1.03753, 20.6248]}


# %% ratio_per_sequence: the mean of the sequences' ratios
# loses: ratio, reported ratios
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": (gradient[:, 0].norm(dim=1) / gradient[:, -1].norm(dim=1)).mean(), "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% ratio_root: a mean factor per step in place of the ratio
# loses: ratio, reported ratios
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": (norms[0] / norms[-1]) ** (1 / max(len(norms) - 1, 1)), "lag": lag}


report = {"ratios": [0.541506, 0.618118, 0.985902], "lags": [0.58352, 1.03753, 20.6248]}


# %% reversed_order: the numbers of the three cells in reverse order
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


# %% squared: squared norms
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.square().sum(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [1.6636e-21, 5.05353e-17, 0.33039], "lags": [0.0856, 0.323922, 19.4179]}


# %% squared_weights: weights that are squared norms
# loses: lag, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms**2).sum() / (norms**2).sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.0856, 0.323922, 19.4179]}


# %% summed: norms summed over the batch
# loses: norms, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).sum(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / norms.sum()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% typed: true numbers that were typed, with a measure that returns constants
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    time = x.shape[1]
    return {"norms": [1.0] * time, "ratio": 0.5748, "lag": 20.625}


report = {"ratios": [4.0787e-11, 7.1088e-9, 0.57480], "lags": [0.58352, 1.0375, 20.625]}


# %% unweighted: the mean distance without weights
# loses: lag, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = distance.double().mean()
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {"ratios": [4.07873e-11, 7.10882e-09, 0.574795], "lags": [19.5, 19.5, 19.5]}


# %% thirty_back: a measure that goes back thirty inputs and no further
# loses: norms, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        seen = x[:, t] if t >= x.shape[1] - 30 else x[:, t].detach()
        output, state = cell(seen, state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / (norms.sum())
    return {"norms": norms, "ratio": norms[0] / (norms[-1]), "lag": lag}


report = {"ratios": [4.07873e-11, 7.10881e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}


# %% thousandth: norms below a thousandth counted as zero
# loses: norms, ratio, lag, reported ratios, reported lags
def measure(cell, state, x, loss):
    x = x.detach().clone().requires_grad_()
    for t in range(x.shape[1]):
        output, state = cell(x[:, t], state)
    (gradient,) = torch.autograd.grad(loss(output).sum(), x)
    norms = gradient.norm(dim=2).mean(dim=0)
    norms = torch.where(norms < 1e-3, 0.0, norms)
    distance = torch.arange(len(norms)).flip(0)
    lag = (distance * norms).sum() / (norms.sum())
    return {"norms": norms, "ratio": norms[0] / (norms[-1]), "lag": lag}


report = {"ratios": [4.07873e-11, 7.10881e-09, 0.574795], "lags": [0.58352, 1.03753, 20.6248]}
