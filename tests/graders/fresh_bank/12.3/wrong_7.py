# question 12.3
# wrong: the row mask is read by place in the batch instead of by token
# differs: tokens [[1, 0]], row_mask [1., 0.]
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[torch.arange(tokens.numel()).reshape(tokens.shape) % len(row_mask)] / (1 - row_rate)
    return vectors * word_mask[..., None] * rows[..., None]
