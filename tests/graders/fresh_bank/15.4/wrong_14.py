# question 15.4
# wrong: workers without targets are left out of the result, too, and the rest share the parts
# differs: gradients of four parameters, three workers with tokens [1, 0, 1]: two parts instead of three
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    mean, total = np.zeros(length), sum(tokens)
    for gradient, n in zip(gradients, tokens):
        if n > 0:
            mean += gradient * (n / total)
    there = [g for g, n in zip(gradients, tokens) if n > 0]
    workers = max(len(there), 1)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
