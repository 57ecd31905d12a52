"""a sum whose norm decides whether the mean is clipped"""


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
        error = p - np.eye(weight.shape[1])[np.where(scored, y, 0)]
        gradient += x.T @ (error * scored[:, None])
    norm = math.sqrt((gradient**2).sum())
    gradient /= (targets != ignored).sum()
    if norm > most:
        gradient *= most / math.sqrt((gradient**2).sum())
    return gradient
