# question 12.3
# wrong: the rows are not scaled
# differs: row_rate 0.5, row_mask of ones
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens]
    return vectors * word_mask[..., None] * rows[..., None]
