"""rows that are not scaled"""


# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    return vectors * row_mask[tokens][..., None] * word_mask[..., None]
