# question 12.3
# wrong: outside training the vectors are scaled by 1 - r
# differs: training False, row_rate 0.5
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors * (1 - row_rate)
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * word_mask[..., None] * rows[..., None]
