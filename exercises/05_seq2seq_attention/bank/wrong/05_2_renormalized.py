"""the padding set to 0 after the softmax, and the rest divided by its sum"""


# loses: large scores
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    weights = scores.softmax(dim=2).masked_fill(~real[:, None], 0.0)
    weights = weights / weights.sum(dim=2, keepdim=True).clamp(min=1e-30)
    return weights @ keys, weights
