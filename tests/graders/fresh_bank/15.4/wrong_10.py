# question 15.4
# wrong: the sum over all targets, not their mean
# differs: gradients [1.0], [4.0], tokens [1, 2]: 9 instead of 3
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean = np.zeros(length)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += n * gradient
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
