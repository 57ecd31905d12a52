"""parts of unequal length"""


# loses: uneven, empty
def reduce_scatter(gradients, tokens):
    whole = np.zeros(len(gradients[0]))
    for gradient, own in zip(gradients, tokens):
        if own > 0:
            whole += own / sum(tokens) * gradient
    return np.array_split(whole, len(tokens))
