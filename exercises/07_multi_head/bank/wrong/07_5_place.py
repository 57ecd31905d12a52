"""the place of the width in the list instead of the width"""
# loses: enough, report
def measure(keys):
    found, weights, enough = [], [], None
    for key in keys:
        width = key.shape[1]
        scores = key @ key.T / math.sqrt(width)
        others = scores - np.diag(np.full(len(key), np.inf))
        found.append((np.diag(scores) > others.max(axis=1)).mean())
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append((np.diag(powers) / powers.sum(axis=1)).mean())
        if enough is None and found[-1] >= 0.9:
            enough = len(found) - 1
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03125, 0.125, 0.25, 0.6875, 0.9375, 1.0],
    "weights": [0.03685, 0.05263, 0.1011, 0.1835, 0.3458, 0.6962],
    "enough": 16,
}
