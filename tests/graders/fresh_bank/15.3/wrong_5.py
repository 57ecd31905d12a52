# question 15.3
# wrong: a greatest norm of 0 is taken for no clipping
# differs: most 0: must be 0
def accumulated(inputs, targets, weight, sizes, ignored, most):
    """The clipped gradient of a batch that is read in pieces."""
    gradient = np.zeros(weight.shape)
    count = (targets != ignored).sum()
    first = 0
    for size in sizes:
        x, y = inputs[first : first + size], targets[first : first + size]
        first += size
        scored = y != ignored
        scores = x @ weight
        p = np.exp(scores - scores.max(1, keepdims=True))
        p = p / p.sum(1, keepdims=True)
        error = p - np.eye(weight.shape[1])[np.where(scored, y, 0)]
        gradient += x.T @ (error * scored[:, None]) / count
    norm = math.sqrt((gradient**2).sum())
    if most and norm > most:
        gradient = gradient * (most / norm)
    return gradient
