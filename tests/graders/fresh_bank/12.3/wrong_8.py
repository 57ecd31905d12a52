# question 12.3
# wrong: a hidden word hides all its occurrences in the batch
# differs: tokens [[1, 1]], word_mask [[1., 0.]]
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    hidden = tokens[word_mask == 0]
    word_mask = (~torch.isin(tokens, hidden)).to(table.dtype)
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * word_mask[..., None] * rows[..., None]
