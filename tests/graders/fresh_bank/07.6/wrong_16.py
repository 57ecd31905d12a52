# question 07.6
# wrong: the trained W is pooled in place
# differs: W of (2, 4), 2 heads, 1 shared: W's first head is the mean afterwards
def pool_heads(W, n_heads, n_shared):
    d_model, columns = W.shape
    width = columns // n_heads
    heads = W.reshape(d_model, n_shared, n_heads // n_shared, width)
    pooled = heads.mean(dim=2)
    with torch.no_grad():
        W[:, : n_shared * width] = pooled.reshape(d_model, -1)
    return W[:, : n_shared * width].clone()


def grouped_attention(query, key, value):
    n_queries, n_keys = query.shape[2], key.shape[2]
    share = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(share, dim=1)
    value = value.repeat_interleave(share, dim=1)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    allowed = torch.ones(n_queries, n_keys, dtype=torch.bool)
    allowed = allowed.tril(diagonal=n_keys - n_queries)
    return scores.masked_fill(~allowed, -math.inf).softmax(dim=3) @ value
