"""the parts in the reverse order of the workers"""


# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own / sum(tokens) * gradient
    return list(whole.reshape(n_workers, length)[::-1])
