# question 15.3
# wrong: pieces count by the numbers of their rows, the mean by targets: weights size / len(inputs)
# differs: pieces of 2 rows, one with one padded row
def accumulated(inputs, targets, weight, sizes, ignored, most):
    """The clipped gradient of a batch that is read in pieces."""
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
        gradient += x.T @ (error * scored[:, None]) / max(scored.sum(), 1) * size / len(inputs)
    norm = math.sqrt((gradient**2).sum())
    if norm > most:
        gradient = gradient * (most / norm)
    return gradient
