# question 07.3
# wrong: a gate is a switch: whatever is not 0 counts as 1
# differs: gate [0.5, 1.]
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    """Self-attention by several heads."""
    query = split_heads(x @ W_q, n_heads)
    key = split_heads(x @ W_k, n_heads)
    value = split_heads(x @ W_v, n_heads)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    found = scores.softmax(dim=3) @ value
    if gate is not None:
        found = found * (gate != 0).to(x.dtype)[:, None, None]
    return join_heads(found) @ W_o
