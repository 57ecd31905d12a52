# question 07.3
# wrong: the columns of the heads are taken in turns (head = the second axis of the split) instead of side by side
# differs: 2 heads of width 2
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    """Self-attention by several heads."""
    take = lambda z: z.reshape(z.shape[0], z.shape[1], -1, n_heads).permute(0, 3, 1, 2)
    query = take(x @ W_q)
    key = take(x @ W_k)
    value = split_heads(x @ W_v, n_heads)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    found = scores.softmax(dim=3) @ value
    if gate is not None:
        found = found * gate[:, None, None]
    return join_heads(found) @ W_o
