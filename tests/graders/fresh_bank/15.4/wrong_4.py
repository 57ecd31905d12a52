# question 15.4
# wrong: parts of different lengths instead of zeros at the end
# differs: five parameters, two workers: lengths 3 and 2 instead of 3 and 3
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient * (n / total)
    return np.array_split(mean, workers)
