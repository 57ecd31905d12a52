# question 15.3
# wrong: each entry is clipped to most instead of the norm
# differs: two entries of 1, most 1
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
    gradient = gradient.clip(-most, most)
    return gradient
