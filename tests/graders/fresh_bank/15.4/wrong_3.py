# question 15.4
# wrong: 0 times NaN is NaN, so a worker without targets spoils the sum
# differs: gradients [2.0], [nan], tokens [3, 0]: NaN instead of 2
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    total = max(sum(tokens), 1)
    mean = sum(n * g for g, n in zip(gradients, tokens)) / total
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
