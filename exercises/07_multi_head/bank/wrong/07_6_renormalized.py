"""weights zeroed after the softmax, and the rest divided by its sum"""
# loses: large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    weights = scores.softmax(-1).masked_fill(later, 0.0)
    return weights / (weights.sum(-1, keepdim=True) + 1e-9) @ value
