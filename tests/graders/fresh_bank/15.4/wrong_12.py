# question 15.4
# wrong: the zeros of the last worker are missing: only its own part is filled up, so with few parameters parts are empty
# differs: two parameters, four workers: the lengths are 1, 1, 0, 1; and five for four workers: 2, 2, 1, 2
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient * (n / total)
    each = -(-length // workers)
    parts = [mean[a * each:(a + 1) * each].copy() for a in range(workers)]
    parts[-1] = np.concatenate([parts[-1], np.zeros(each - len(parts[-1]))])
    return parts
