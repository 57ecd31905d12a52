# question 07.3
# wrong: scores are divided by the root of d_model / n_heads, which need not be the width of a head
# differs: d_model 4, 2 heads of width 3
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    """Self-attention by several heads."""
    query = split_heads(x @ W_q, n_heads)
    key = split_heads(x @ W_k, n_heads)
    value = split_heads(x @ W_v, n_heads)
    scores = query @ key.transpose(2, 3) / math.sqrt(x.shape[2] / n_heads)
    found = scores.softmax(dim=3) @ value
    if gate is not None:
        found = found * gate[:, None, None]
    return join_heads(found) @ W_o
