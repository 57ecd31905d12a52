"""words hidden only where both masks hide them"""


# loses: words, rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    seen = torch.maximum(row_mask[tokens], word_mask)
    return vectors * seen[..., None] / (1 - row_rate)
