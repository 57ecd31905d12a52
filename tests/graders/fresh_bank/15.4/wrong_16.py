# question 15.4
# wrong: entries that are 0 in a worker's gradient are taken for missing and left out of the weights there
# differs: gradients [0.0], [3.0], tokens [1, 2]: 3 instead of 2
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    top, below = np.zeros(length), np.zeros(length)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            top += n * gradient
            below += n * (gradient != 0)
    mean = top / np.where(below > 0, below, 1)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
