"""a small number added to the divisor"""
# loses: rows
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate + 1e-6)
    return vectors * rows[..., None] * word_mask[..., None]
