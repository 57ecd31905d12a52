"""Named mistakes in question 15.4."""


# %% alone: what a single worker has, whether it has targets or not
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


# %% backwards: the parts in the reverse order of the workers
# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own / sum(tokens) * gradient
    return list(whole.reshape(n_workers, length)[::-1])


# %% every_other: parts that take every second number, or every third, as many as there are workers
# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own / sum(tokens) * gradient
    return list(whole.reshape(length, n_workers).T)


# %% mean_of_means: the mean of the workers' means
# loses: unequal, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += 1 / n_workers * gradient
    return list(whole.reshape(n_workers, length))


# %% mean_of_those: the mean of the means of those workers that have targets
# loses: unequal, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += 1 / np.count_nonzero(tokens) * gradient
    return list(whole.reshape(n_workers, length))


# %% nan: a weight of zero for NaN
# loses: empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        whole[:n] += own / max(sum(tokens), 1) * gradient
    return list(whole.reshape(n_workers, length))


# %% no_filling: parts of unequal length
# loses: uneven, empty
def reduce_scatter(gradients, tokens):
    whole = np.zeros(len(gradients[0]))
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole += own / sum(tokens) * gradient
    return np.array_split(whole, len(tokens))


# %% rounded: numbers that are rounded to float32
# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, total = len(tokens), max(sum(tokens), 1)
    mean = np.zeros(len(gradients[0]), dtype=np.float32)
    for gradient, own in zip(gradients, tokens):
        if own:
            mean += gradient.astype(np.float32) * np.float32(own / total)
    filled = np.concatenate([mean, np.zeros(-len(mean) % n_workers)])
    return np.split(filled, n_workers)


# %% sum_of_targets: a sum over all targets
# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own * gradient
    return list(whole.reshape(n_workers, length))


# %% too_large: a gradient as many times too large as there are workers
# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own * n_workers / sum(tokens) * gradient
    return list(whole.reshape(n_workers, length))


# %% weights_inverted: a weight that falls with the number of targets
# loses: unequal, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += (1 / own) / sum(1 / t for t in tokens if t) * gradient
    return list(whole.reshape(n_workers, length))


# %% whole: the whole gradient for every worker
# loses: equal, unequal, uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[:n] += own / sum(tokens) * gradient
    return [whole] * n_workers


# %% zero_gradient_is_missing: a gradient of zeros taken for none
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


# %% zeros_in_front: zeros in front of the gradient in place of behind it
# loses: uneven, empty
def reduce_scatter(gradients, tokens):
    n_workers, n = len(gradients), len(gradients[0])
    length = -(-n // n_workers)
    whole = np.zeros(length * n_workers)
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole[-n:] += own / sum(tokens) * gradient
    return list(whole.reshape(n_workers, length))
