# question 12.3
# wrong: with rate 0 the row mask is not looked at
# differs: row_rate 0, row_mask [0., 1.], tokens [[0]]: must be hidden
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate) if row_rate > 0 else torch.ones_like(word_mask)
    return vectors * word_mask[..., None] * rows[..., None]
