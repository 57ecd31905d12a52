"""One backward pass for each sequence, and NumPy."""


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
