# question 12.3
# wrong: the words that stay are scaled by the share of the words that are kept
# differs: word_mask [[1., 0.]]: twice the vector
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * (word_mask / word_mask.mean().clamp(min=1e-9))[..., None] * rows[..., None]
