"""the mean of the means of those workers that have targets"""


# loses: unequal, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += 1 / np.count_nonzero(tokens) * gradient
    return list(whole.reshape(n_workers, length))
