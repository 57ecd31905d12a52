"""Named mistakes in question 07.6."""


# %% detached: keys and values that no gradient reaches
# loses: gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.detach().repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% mask_after: weights zeroed after the softmax
# loses: causal, pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.softmax(-1).masked_fill(later, 0.0) @ value


# %% mod: heads that share in turn: head h reads keys h modulo G
# loses: groups, causal, pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat(1, sharing, 1, 1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% no_mask: no mask
# loses: causal, pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.softmax(-1) @ value


# %% no_scale: no scale
# loses: groups, causal, pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / 1.0
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% one_later: one later position not hidden
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


# %% overflow: exponentials of the scores themselves, which overflow
# loses: large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return (scores.exp().masked_fill(later, 0.0) / scores.exp().masked_fill(later, 0.0).sum(-1, keepdim=True)) @ value


# %% pool_columns: the mean of neighboring columns instead of heads
# loses: pool
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, -1, n_heads // n_shared))
    return apart.mean(3).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% pool_first: the first of the heads that share
# loses: pool
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart[:, :, 0].flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% pool_strided: the mean of heads that are G apart
# loses: pool
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_heads // n_shared, n_shared, -1))
    return apart.mean(1).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% pool_sum: the sum of the heads that share
# loses: pool
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.sum(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% renormalized: weights zeroed after the softmax, and the rest divided by its sum
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


# %% strict: a mask that hides its own position from each query, where keys are more than queries
# loses: pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(max(1, key.shape[2] - query.shape[2]) if query.shape[2] > 1 else 1 + key.shape[2] - query.shape[2])
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% ten_thousand: 10,000 subtracted from hidden scores in place of minus infinity
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


# %% top_left: a triangle that begins at the first key
# loses: groups, pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% whole_text: no mask where keys are more than queries
# loses: pieces, large scores, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    later &= scores.shape[2] == scores.shape[3]
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value


# %% table: a mask of 256 positions that leaves the later ones open
# loses: causal, gradients
def pool_heads(W, n_heads, n_shared):
    apart = W.unflatten(1, (n_shared, n_heads // n_shared, -1))
    return apart.mean(2).flatten(1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    key, value = (z.repeat_interleave(sharing, dim=1) for z in (key, value))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1 + key.shape[2] - query.shape[2])
    later[:, 256:] = False
    return scores.masked_fill(later, -math.inf).softmax(-1) @ value
