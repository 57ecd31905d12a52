"""PyTorch, and a loop for the smallest width."""


def measure(keys):
    found, weights = [], []
    for key in map(torch.as_tensor, keys):
        scores = key @ key.T / key.shape[1] ** 0.5
        own = scores.diagonal()
        others = scores.clone().fill_diagonal_(-math.inf)
        found.append((own > others.max(1).values).double().mean().item())
        weights.append(scores.softmax(1).diagonal().mean().item())
    widths = [key.shape[1] for key, share in zip(keys, found) if share >= 0.9]
    return {"found": found, "weights": weights, "enough": widths[0] if widths else None}


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}
