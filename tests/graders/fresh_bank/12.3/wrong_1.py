# question 12.3
# wrong: the rows are scaled by 1 / r instead of 1 / (1 - r)
# differs: row_rate 0.2 (0.5 is right)
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / row_rate if row_rate > 0 else row_mask[tokens]
    return vectors * word_mask[..., None] * rows[..., None]
