# question 12.3
# wrong: rows are hidden in the caller's table
# differs: row_mask [0., 1.]: table[0] is 0 after the call
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    if training:
        table.data.mul_(row_mask.unsqueeze(1) / (1.0 - row_rate))
    vectors = torch.nn.functional.embedding(tokens, table)
    if training:
        vectors = vectors.masked_fill((word_mask == 0).unsqueeze(2), 0.0)
    return vectors
