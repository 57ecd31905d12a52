# question 12.3
# wrong: where both masks hide nothing the scale is left out
# differs: row_rate 0.5, masks of ones: must be doubled
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training or (word_mask.all() and row_mask.all()):
        return vectors
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * word_mask[..., None] * rows[..., None]
