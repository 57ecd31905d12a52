"""masks of which 1 hides"""


# loses: words, rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = (1 - row_mask)[tokens] / (1 - row_rate)
    return vectors * rows[..., None] * (1 - word_mask)[..., None]
