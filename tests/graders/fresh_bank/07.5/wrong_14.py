# question 07.5
# wrong: the object looked for is left out of the softmax's sum
# differs: any keys: weights above the right ones, and above 1
def measure(keys):
    found, weights, enough = [], [], None
    for k in keys:
        k = np.asarray(k, dtype=np.float64)
        objects, width = k.shape
        scores = k @ k.T
        others = scores.copy()
        np.fill_diagonal(others, -np.inf)
        share = float((np.diag(scores) > others.max(axis=1)).mean())
        found.append(share)
        scaled = scores / math.sqrt(width)
        e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        own = np.diag(e)
        weights.append(float((own / (e.sum(axis=1) - own)).mean()))
        if enough is None and share >= 0.9:
            enough = width
    return {"found": found, "weights": weights, "enough": enough}


report = {
    "seed": 7,
    "found": [0.03125, 0.1719, 0.5469, 0.9219, 1.0, 1.0],
    "weights": [0.02891, 0.04213, 0.08127, 0.1936, 0.4527, 0.7812],
    "enough": 8,
}
