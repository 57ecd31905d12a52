# question 15.4
# wrong: the parameters are dealt out in turn instead of in order
# differs: four parameters, two workers: 0, 2 and 1, 3 instead of 0, 1 and 2, 3
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient * (n / total)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a::workers].copy() for a in range(workers)]
