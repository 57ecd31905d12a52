"""a weight of zero for NaN"""


# loses: empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        whole[:n] += own / max(sum(tokens), 1) * gradient
    return list(whole.reshape(n_workers, length))
