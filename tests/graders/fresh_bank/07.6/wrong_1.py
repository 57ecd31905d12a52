# question 07.6
# wrong: heads that stand apart share: repeat instead of repeat_interleave
# differs: 4 heads and 2 shared: head 1 (from 0) reads the second head of keys
def pool_heads(W, n_heads, n_shared):
    d_model, columns = W.shape
    width = columns // n_heads
    heads = W.reshape(d_model, n_shared, n_heads // n_shared, width)
    return heads.mean(dim=2).reshape(d_model, n_shared * width)


def grouped_attention(query, key, value):
    n_queries, n_keys = query.shape[2], key.shape[2]
    share = query.shape[1] // key.shape[1]
    key = key.repeat(1, share, 1, 1)
    value = value.repeat(1, share, 1, 1)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    allowed = torch.ones(n_queries, n_keys, dtype=torch.bool)
    allowed = allowed.tril(diagonal=n_keys - n_queries)
    return scores.masked_fill(~allowed, -math.inf).softmax(dim=3) @ value
