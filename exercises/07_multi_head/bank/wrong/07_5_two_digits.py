"""a report of two digits"""
# loses: report
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
            enough = width
    return dict(found=found, weights=weights, enough=enough)


report = {
    "seed": 0,
    "found": [0.03, 0.12, 0.25, 0.69, 0.94, 1.0],
    "weights": [0.04, 0.05, 0.1, 0.18, 0.35, 0.7],
    "enough": 16,
}
