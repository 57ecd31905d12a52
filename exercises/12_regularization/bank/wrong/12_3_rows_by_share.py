"""rows scaled by the share of rows that is kept"""


# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / row_mask.mean()
    return vectors * rows[..., None] * word_mask[..., None]
