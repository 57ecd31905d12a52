# question 07.3
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    """Self-attention by several heads."""
    query = split_heads(x @ W_q, n_heads)
    key = split_heads(x @ W_k, n_heads)
    value = split_heads(x @ W_v, n_heads)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    found = scores.softmax(dim=3) @ value
    if gate is not None:
        found = found * gate[:, None, None]
    return join_heads(found) @ W_o
