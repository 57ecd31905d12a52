# question 07.5
# wrong: the caller's arrays are scaled in place
# differs: width 4, any float64 keys: after the call they are smaller by the factor 4 ** 0.25 (and a second call gives other weights)
def measure(keys):
    found, weights, enough = [], [], None
    for k in keys:
        objects, width = k.shape
        k /= width ** 0.25
        scores = k @ k.T
        others = scores.copy()
        np.fill_diagonal(others, -np.inf)
        share = float((np.diag(scores) > others.max(axis=1)).mean())
        found.append(share)
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append(float((np.diag(e) / e.sum(axis=1)).mean()))
        if enough is None and share >= 0.9:
            enough = width
    return {"found": found, "weights": weights, "enough": enough}


report = {
    "seed": 7,
    "found": [0.03125, 0.1719, 0.5469, 0.9219, 1.0, 1.0],
    "weights": [0.02891, 0.04213, 0.08127, 0.1936, 0.4527, 0.7812],
    "enough": 8,
}
