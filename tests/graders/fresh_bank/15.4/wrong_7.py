# question 15.4
# wrong: zeros are appended even where the workers divide the length: one more to each part
# differs: four parameters, two workers: parts of length 3 instead of 2
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient * (n / total)
    each = length // workers + 1
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
