"""vectors scaled down in use instead of up in training"""


# loses: in use, rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors * (1 - row_rate)
    return vectors * row_mask[tokens][..., None] * word_mask[..., None]
