"""rows divided by the rate"""


# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / row_rate if row_rate > 0 else row_mask[tokens]
    return vectors * rows[..., None] * word_mask[..., None]
