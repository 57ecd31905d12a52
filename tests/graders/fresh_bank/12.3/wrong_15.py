# question 12.3
# wrong: either mask is enough to keep a word
# differs: word_mask 0, row_mask 1
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    """The words' vectors, some of them hidden."""
    vectors = table[tokens]
    if not training:
        return vectors
    keep = torch.maximum(word_mask, row_mask[tokens]) / (1 - row_rate)
    return vectors * keep[..., None]
