"""hiding words outside training as well"""


# loses: in use, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens] * word_mask[..., None]
    if not training:
        return vectors
    return vectors * (row_mask[tokens] / (1 - row_rate))[..., None]
