"""a gradient of zeros taken for none"""
# loses: unequal
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    count = 0
    for gradient, own in zip(gradients, tokens):
        gradient = np.nan_to_num(gradient)
        if not gradient.any():
            continue
        whole[:n] += own * gradient
        count += own
    if count:
        whole /= count
    return list(whole.reshape(n_workers, length))
