"""a weight that falls with the number of targets"""


# loses: unequal, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += (1 / own) / sum(1 / t for t in tokens if t) * gradient
    return list(whole.reshape(n_workers, length))
