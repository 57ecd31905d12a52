"""The table is dropped before it is looked up."""


def hide(table, tokens, word_mask, row_mask, row_rate, training):
    if training:
        table = table * row_mask[:, None] / (1 - row_rate)
    vectors = torch.nn.functional.embedding(tokens, table)
    return vectors * word_mask[:, :, None] if training else vectors
