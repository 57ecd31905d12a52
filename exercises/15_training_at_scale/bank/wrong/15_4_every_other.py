"""parts that take every so-manieth number"""


# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own / sum(tokens) * gradient
    return list(whole.reshape(length, n_workers).T)
