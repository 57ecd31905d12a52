# question 12.3
# wrong: words are hidden outside training too
# differs: training False, word_mask of zeros
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    vectors = vectors * word_mask[..., None]
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * rows[..., None]
