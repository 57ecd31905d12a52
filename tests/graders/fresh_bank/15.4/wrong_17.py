# question 15.4
# wrong: the caller's NaN are replaced in place
# differs: gradients [2.0], [nan], tokens [3, 0]: after the call the second gradient is 0 (the result is right)
def reduce_scatter(gradients, tokens):
    workers, length = len(gradients), len(gradients[0])
    for g in gradients:
        np.nan_to_num(g, copy=False)
    mean = sum(n * g for g, n in zip(gradients, tokens)) / max(sum(tokens), 1)
    each = -(-length // workers)
    whole = np.concatenate([mean, np.zeros(each * workers - length)])
    return [whole[a * each:(a + 1) * each].copy() for a in range(workers)]
