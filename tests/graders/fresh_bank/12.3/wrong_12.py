# question 12.3
# wrong: the scale multiplies 1 / (1 - r) only where a row is kept by more than its rate: capped at 10
# differs: row_rate 0.95: 20 times the vector
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = (row_mask[tokens] / (1 - row_rate)).clamp(max=10.0)
    return vectors * word_mask[..., None] * rows[..., None]
