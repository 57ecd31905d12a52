"""torch.func."""


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
