"""10,000 subtracted from hidden scores in place of minus infinity"""


# loses: large scores, gradients
def pool_heads(W, n_heads, n_shared):
    d_model, columns = W.shape
    width = columns // n_heads
    apart = W.reshape(d_model, n_shared, n_heads // n_shared, width)
    return apart.mean(dim=2).reshape(d_model, n_shared * width)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(sharing, dim=1)
    value = value.repeat_interleave(sharing, dim=1)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    queries, keys = scores.shape[2:]
    later = torch.ones(queries, keys, dtype=torch.bool)
    later = later.triu(keys - queries + 1)
    return (scores - 1e4 * later).softmax(dim=3) @ value
