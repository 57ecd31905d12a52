# question 12.3
# wrong: each row's gradient is scaled as if a repeated token counted once: the gradient of repeated tokens is that of the last
# differs: tokens [[1, 1]]: the gradient of table[1] is half
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    seen = torch.zeros_like(tokens, dtype=torch.bool).reshape(-1)
    for token in tokens.unique():
        seen[(tokens.reshape(-1) == token).nonzero()[-1]] = True
    vectors = torch.where(seen.reshape(tokens.shape)[..., None], vectors, vectors.detach())
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * word_mask[..., None] * rows[..., None]
