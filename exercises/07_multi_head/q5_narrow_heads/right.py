"""Right answers to question 07.5."""


# %% loops: Loops over the objects.
def measure(keys):
    result = {"found": [], "weights": [], "enough": None}
    for key in keys:
        n, width = key.shape
        right, total = 0, 0.0
        for i in range(n):
            scores = key @ key[i]
            rest = np.delete(scores, i)
            right += bool(scores[i] > rest.max())
            powers = np.exp((scores - scores.max()) / np.sqrt(width))
            total += powers[i] / powers.sum()
        result["found"].append(right / n)
        result["weights"].append(total / n)
        if right / n >= 0.9 and result["enough"] is None:
            result["enough"] = width
    return result


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.0368507, 0.0526345, 0.1010750, 0.1834722, 0.3457788, 0.6961765],
    "enough": 16,
}


# %% torch: PyTorch, and a loop for the smallest width.
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
