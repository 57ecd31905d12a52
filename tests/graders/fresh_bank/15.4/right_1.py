# question 15.4
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    each = -(-length // workers)
    whole = np.zeros(each * workers)
    total = sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            whole[:length] += gradient * (n / total)
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
