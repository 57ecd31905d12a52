"""what a single worker has, whether it has targets or not"""


# loses: empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    if n_workers == 1:
        return [gradients[0].copy()]
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own / sum(tokens) * gradient
    return list(whole.reshape(n_workers, length))
