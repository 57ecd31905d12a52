# question 12.3
# wrong: the rows are scaled by the share of rows that happened to be kept, not by the rate
# differs: row_mask [1., 0., 1.], row_rate 0.5
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / row_mask.mean().clamp(min=1e-9)
    return vectors * word_mask[..., None] * rows[..., None]
