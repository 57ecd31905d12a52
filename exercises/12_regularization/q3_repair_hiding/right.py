"""Right answers to question 12.3."""


# %% table: The table is dropped before it is looked up.
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    if training:
        table = table * row_mask[:, None] / (1 - row_rate)
    vectors = torch.nn.functional.embedding(tokens, table)
    return vectors * word_mask[:, :, None] if training else vectors


# %% where: Zeros where a mask says so.
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if training:
        seen = (word_mask == 1) & (row_mask[tokens] == 1)
        vectors = torch.where(seen.unsqueeze(-1), vectors, 0.0) / (1 - row_rate)
    return vectors
