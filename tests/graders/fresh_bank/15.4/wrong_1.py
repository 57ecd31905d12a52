# question 15.4
# wrong: the plain mean over the workers with targets, whatever their numbers of targets
# differs: gradients [1.0], [4.0], tokens [1, 2]: 2.5 instead of 3
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    there = [g for g, n in zip(gradients, tokens) if n > 0]
    mean = sum(there) / len(there) if there else np.zeros(length)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
