# question 12.3
# wrong: token 0 is taken for padding: its row gets no gradient
# differs: tokens [[0]]: the gradient of table[0]
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    if training:
        table = table * row_mask.unsqueeze(1) / (1.0 - row_rate)
    vectors = torch.nn.functional.embedding(tokens, table, padding_idx=0)
    if training:
        vectors = vectors.masked_fill((word_mask == 0).unsqueeze(2), 0.0)
    return vectors
