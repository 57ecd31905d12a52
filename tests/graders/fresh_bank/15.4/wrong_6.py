# question 15.4
# wrong: 0 / 0 if nobody has a target
# differs: gradients [nan], [nan], tokens [0, 0]: NaN instead of 0
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    total = sum(tokens)
    mean = np.zeros(length)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean = mean + n * gradient
    mean = mean / np.float64(total)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
