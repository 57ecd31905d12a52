"""Right answers to question 04.5."""


# %% functional: torch.func.
def measure(cell, state, x, loss):
    def last_loss(x):
        carried = state
        for t in range(x.shape[1]):
            output, carried = cell(x[:, t], carried)
        return loss(output).sum()

    norms = torch.linalg.vector_norm(torch.func.grad(last_loss)(x), dim=-1).mean(0)
    weights = norms / norms.sum()
    lag = len(norms) - 1 - weights @ torch.arange(len(norms)).to(weights)
    return {"norms": norms.tolist(), "ratio": float(norms[0] / norms[-1]), "lag": float(lag)}


report = {
    "ratios": [4.0787255461892104e-11, 7.108815555646289e-09, 0.5747952529230627],
    "lags": [0.5835198557281839, 1.037530112018469, 20.624760722389674],
}


# %% leaves: A leaf for each input, and lists of numbers.
def measure(cell, state, x, loss):
    inputs = [part.clone().requires_grad_(True) for part in x.unbind(1)]
    for x_t in inputs:
        h, state = cell(x_t, state)
    torch.autograd.backward(loss(h).sum())
    norms = [x_t.grad.square().sum(1).sqrt().mean().item() for x_t in inputs]
    lag = sum((len(norms) - 1 - t) * norm for t, norm in enumerate(norms)) / sum(norms)
    return dict(norms=norms, ratio=norms[0] / norms[-1], lag=lag)


report = {
    "ratios": (4.07873e-11, 7.108816e-09, 0.5747953),
    "lags": (0.58351986, 1.0375301, 20.62476),
}


# %% one_loss_each: One backward pass for each sequence, and NumPy.
def measure(cell, state, x, loss):
    x = x.requires_grad_()
    outputs = []
    for x_t in x.transpose(0, 1):
        output, state = cell(x_t, state)
        outputs.append(output)
    norms = np.zeros(x.shape[1])
    for b, one in enumerate(loss(outputs[-1])):
        own = torch.autograd.grad(one, x, retain_graph=True)[0][b]
        norms += np.linalg.norm(own.numpy(), axis=1) / len(x)
    lag = np.average(np.arange(len(norms))[::-1], weights=norms)
    return {"norms": norms, "ratio": norms[0] / norms[-1], "lag": lag}


report = {
    "ratios": np.array([4.0787255e-11, 7.1088156e-09, 0.5747952529]),
    "lags": np.array([0.5835199, 1.03753, 20.62476]),
}
