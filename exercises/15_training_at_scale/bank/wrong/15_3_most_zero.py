"""a greatest norm of 0 taken for none"""
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
    gradient /= (targets != ignored).sum()
    norm = math.sqrt((gradient**2).sum())
    if most and norm > most:
        gradient = gradient * (most / norm)
    return gradient
