# question 12.3
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * word_mask[..., None] * rows[..., None]
