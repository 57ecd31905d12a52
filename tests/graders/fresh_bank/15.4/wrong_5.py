# question 15.4
# wrong: the rest that the workers do not divide is dropped
# differs: five parameters, two workers: lengths 2 and 2, the fifth number is lost
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient * (n / total)
    each = length // workers
    return [mean[a * each:(a + 1) * each].copy() for a in range(workers)]
