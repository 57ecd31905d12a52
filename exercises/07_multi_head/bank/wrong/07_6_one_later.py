"""one later position not hidden"""
# loses: causal, pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(2 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value
