# question 15.4
# wrong: the zeros that fill up stand in front
# differs: three parameters, two workers: [0, a], [b, c] instead of [a, b], [c, 0]
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient * (n / total)
    each = -(-length // workers)
    whole = np.concatenate([np.zeros(each * workers - length), mean])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
