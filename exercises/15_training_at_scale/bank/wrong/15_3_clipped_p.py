"""probabilities held away from 0 and 1"""
# loses: all
def accumulated(inputs, targets, weight, sizes, ignored, most):
    gradient = np.zeros(weight.shape)
    first = 0
    for size in sizes:
        x, y = inputs[first : first + size], targets[first : first + size]
        first += size
        scored = y != ignored
        scores = x @ weight
        p = np.exp(scores - scores.max(1, keepdims=True))
        p = p / p.sum(1, keepdims=True)
        p = np.clip(p, 1e-7, 1 - 1e-7)
        error = p - np.eye(weight.shape[1])[np.where(scored, y, 0)]
        gradient += x.T @ (error * scored[:, None])
    gradient /= (targets != ignored).sum()
    norm = math.sqrt((gradient**2).sum())
    return gradient * min(1.0, most / max(norm, 1e-30))
