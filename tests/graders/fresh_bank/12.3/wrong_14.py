# question 12.3
# wrong: the table is cut off the graph in training
# differs: training True: no gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    vectors = vectors.detach()
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * word_mask[..., None] * rows[..., None]
