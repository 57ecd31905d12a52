"""words scaled by the share that is kept"""


# loses: words, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    vectors = vectors * word_mask[..., None] / word_mask.mean()
    return vectors * (row_mask[tokens] / (1 - row_rate))[..., None]
