# question 15.4
# wrong: each worker keeps the weighted part of its own gradient only, without those of the others
# differs: two workers, two parameters, different gradients
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    each = -(-length // workers)
    total = max(sum(tokens), 1)
    parts = []
    for a in range(workers):
        part = np.zeros(each)
        if tokens[a] > 0:
            mine = gradients[a][a * each:(a + 1) * each]
            part[:len(mine)] = mine * tokens[a] / total
        parts.append(part)
    return parts
