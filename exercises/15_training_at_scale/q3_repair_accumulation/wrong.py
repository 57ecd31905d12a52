"""Named mistakes in question 15.3."""


# %% all_rows: a sum divided by all rows, padding among them
# loses: padding, all
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
        gradient += x.T @ (error * scored[:, None]) / len(targets)
    norm = math.sqrt((gradient**2).sum())
    return gradient * min(1.0, most / max(norm, 1e-30))


# %% always_scaled: a gradient that always has the greatest norm
# loses: pieces, padding, all
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
    return gradient * most / math.sqrt((gradient**2).sum())


# %% clipped_p: probabilities held away from 0 and 1
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


# %% empty_piece: the mean of a piece without rows
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
        piece = x.T @ (error * scored[:, None]) / np.float64(size)
        gradient += piece * size
    gradient /= (targets != ignored).sum()
    norm = math.sqrt((gradient**2).sum())
    return gradient * min(1.0, most / max(norm, 1e-30))


# %% entries_clipped: a clipping of each entry
# loses: clipping, all
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
    return np.clip(gradient, -most, most)


# %% largest_entry: the largest entry held against the greatest norm
# loses: clipping, all
def accumulated(inputs, targets, weight, sizes, ignored, most):
    k = targets != ignored
    x, y = inputs[k], targets[k]
    s = x @ weight
    p = np.exp(s - s.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    p[np.arange(len(p)), y] -= 1
    g = x.T @ p / len(y)
    return g * most / np.linalg.norm(g) if np.abs(g).max() > most else g


# %% mean_of_means: the mean of the means of the pieces over their targets
# loses: pieces, all
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
        own = max(scored.sum(), 1)
        gradient += x.T @ (error * scored[:, None]) / own / len(sizes)
    norm = math.sqrt((gradient**2).sum())
    return gradient * min(1.0, most / max(norm, 1e-30))


# %% most_zero: a greatest norm of 0 taken for none
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


# %% no_clipping: a gradient that is not clipped
# loses: clipping, all
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
    return gradient / (targets != ignored).sum()


# %% norm_of_sum: a sum whose norm decides whether the mean is clipped
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


# %% only_clipping_mended: the mean of the means over rows, clipped at the end
# loses: pieces, padding, all
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
        gradient += x.T @ (error * scored[:, None]) / size / len(sizes)
    norm = math.sqrt((gradient**2).sum())
    return gradient * min(1.0, most / max(norm, 1e-30))


# %% only_padding_mended: the mean of the means over targets, each piece clipped
# loses: pieces, clipping, all
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
        piece = x.T @ (error * scored[:, None]) / max(scored.sum(), 1)
        norm = math.sqrt((piece**2).sum())
        piece = piece * min(1.0, most / max(norm, 1e-30))
        gradient += piece / len(sizes)
    return gradient


# %% only_pieces_mended: sums divided by all rows, each piece clipped
# loses: padding, clipping, all
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
        piece = x.T @ (error * scored[:, None]) / len(targets)
        norm = math.sqrt((piece**2).sum())
        piece = piece * min(1.0, most / max(norm, 1e-30))
        gradient += piece
    return gradient


# %% padding_learned: a padding that counts as the first class
# loses: padding, all
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
        gradient += x.T @ error
    gradient /= len(targets)
    norm = math.sqrt((gradient**2).sum())
    return gradient * min(1.0, most / max(norm, 1e-30))


# %% pieces_clipped: a clipping of each piece
# loses: clipping, all
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
        piece = x.T @ (error * scored[:, None]) / (targets != ignored).sum()
        norm = math.sqrt((piece**2).sum())
        piece = piece * min(1.0, most / max(norm, 1e-30))
        gradient += piece
    return gradient


# %% squared_norm: a squared norm held against the greatest norm
# loses: clipping, all
def accumulated(inputs, targets, weight, sizes, ignored, most):
    k = targets != ignored
    x, y = inputs[k], targets[k]
    s = x @ weight
    p = np.exp(s - s.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    p[np.arange(len(p)), y] -= 1
    g = x.T @ p / len(y)
    n2 = (g**2).sum()
    return g * (most / math.sqrt(n2)) if n2 > most else g


# %% sum: a sum over the targets in place of the mean
# loses: pieces, padding, all
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
    return gradient * min(1.0, most / max(norm, 1e-30))


# %% millionth_added: a millionth added to the norm, by which small gradients are scaled down
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
    return gradient * min(1.0, most / (norm + 1e-6))


# %% negative_ignored: every negative target taken for padding, and no other
# loses: all
def accumulated(inputs, targets, weight, sizes, ignored, most):
    gradient = np.zeros(weight.shape)
    first = 0
    for size in sizes:
        x, y = inputs[first : first + size], targets[first : first + size]
        first += size
        scored = y >= 0
        scores = x @ weight
        p = np.exp(scores - scores.max(1, keepdims=True))
        p = p / p.sum(1, keepdims=True)
        error = p - np.eye(weight.shape[1])[np.where(scored, y, 0) % weight.shape[1]]
        gradient += x.T @ (error * scored[:, None])
    gradient /= (targets >= 0).sum()
    norm = math.sqrt((gradient**2).sum())
    return gradient * min(1.0, most / max(norm, 1e-30))


# %% norm_alone: a gradient of 0 divided by its norm
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
    norm = np.sqrt((gradient**2).sum())
    return gradient / norm * min(norm, most)
