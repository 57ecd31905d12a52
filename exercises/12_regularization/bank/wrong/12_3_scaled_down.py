"""rows multiplied by what the rate leaves"""


# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] * (1 - row_rate)
    return vectors * rows[..., None] * word_mask[..., None]
