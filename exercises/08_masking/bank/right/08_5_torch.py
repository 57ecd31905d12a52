"""Tensors and triangles."""


def measure(weights, x):
    weights, x = torch.from_numpy(weights), torch.from_numpy(x)
    inputs = F.pad(x, (1, 0))[:, :-1]
    late = weights.triu(1)
    errors = [(inputs @ kept.T - x).square().mean() for kept in (weights, weights - late)]
    return {"seen": errors[0], "unseen": errors[1], "future": late.abs().sum() / weights.abs().sum()}


report = {"seen": 3.30949e-2, "unseen": 0.8815, "future": 0.862937449, "honest": 0.41348997}
