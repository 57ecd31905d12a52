# question 15.4
# wrong: everything passes through float32
# differs: gradients [0.1], tokens [1]: 0.10000000149 instead of 0.1
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length, dtype=np.float32), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient.astype(np.float32) * np.float32(n / total)
    mean = mean.astype(np.float64)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
