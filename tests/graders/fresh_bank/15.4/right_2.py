# question 15.4
def reduce_scatter(gradients, tokens):
    n = np.array(tokens, dtype=np.float64)
    g = np.stack(gradients)
    g = np.where(n[:, None] > 0, g, 0.0)
    mean = (n[:, None] * g).sum(axis=0) / max(n.sum(), 1.0)
    rest = -len(mean) % len(tokens)
    return list(np.pad(mean, (0, rest)).reshape(len(tokens), -1))
