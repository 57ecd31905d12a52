# question 15.4
# wrong: the caller's gradients are multiplied by the numbers of targets in place
# differs: tokens [1, 2]: after the call the second gradient is doubled (the result is right)
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean = np.zeros(length)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            gradient *= n
            mean += gradient
    mean = mean / max(sum(tokens), 1)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
