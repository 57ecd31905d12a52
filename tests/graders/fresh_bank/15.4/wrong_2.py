# question 15.4
# wrong: a worker without targets counts as one target with a gradient of 0
# differs: gradients [2.0], [nan], tokens [3, 0]: 1.5 instead of 2
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    there = [np.nan_to_num(g) for g in gradients]
    n = [max(t, 1) for t in tokens]
    mean = sum(a * g for a, g in zip(n, there)) / sum(n)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
