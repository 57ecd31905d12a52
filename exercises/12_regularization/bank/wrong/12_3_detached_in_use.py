"""no gradient outside training"""


# loses: gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors.detach()
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * rows[..., None] * word_mask[..., None]
