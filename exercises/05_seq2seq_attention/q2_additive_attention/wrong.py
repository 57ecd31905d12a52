"""Named mistakes in question 05.2."""


# %% clamped: scores cut off at 50
# loses: large scores
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.clamp(max=50.0).softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% detached_keys: no gradient from the scores to the keys
# loses: gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys.detach() @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% detached_weights: contexts made of weights that were detached
# loses: gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights.detach() @ keys, weights


# %% dot: the dot product of the projections, without v
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    scores = for_query @ for_keys.transpose(1, 2)
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% empty_nan: NaN for a source of length 0
# loses: padding, context, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~real[:, None], -math.inf)
    weights = scores.softmax(dim=2)
    return weights @ keys, weights


# %% empty_uniform: equal weights for a source of length 0
# loses: padding, context, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2)
    return weights @ keys, weights


# %% hard: the key of the largest weight alone
# loses: context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    best = F.one_hot(weights.argmax(dim=2), keys.shape[1]) * (weights > 0)
    return best.to(keys.dtype) @ keys, weights


# %% longest: the longest length used for all sources
# loses: padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths.max()[None, None].expand(len(keys), 1)
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% mask_after: the padding set to 0 after the softmax
# loses: padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    weights = scores.softmax(dim=2).masked_fill(~real[:, None], 0.0)
    return weights @ keys, weights


# %% mean: contexts divided by the length
# loses: context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys / lengths.clamp(min=1)[:, None, None], weights


# %% nan_replaced: NaN of a source of length 0 replaced in the weights only
# loses: gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores + torch.where(real[:, None], 0.0, -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% no_mask: the padding attended to
# loses: padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% no_shift: exponentials without a shift
# loses: large scores
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    powers = scores.exp()
    weights = (powers / powers.sum(dim=2, keepdim=True)).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% no_tanh: scores without the tanh
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = for_query[:, :, None] + for_keys[:, None]
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% no_v: hidden units added up without v
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner.sum(dim=3)
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% one_shift: exponentials shifted by the largest score of the batch
# loses: large scores
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    powers = (scores.double() - scores.max()).exp()
    weights = (powers / powers.sum(dim=2, keepdim=True)).float().masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% one_too_few: the last real key left out
# loses: weights, padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None].sub(1).clamp(min=1)
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% one_too_many: one key of the padding taken for real
# loses: padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) <= lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% one_too_many_of_all: one key of the padding taken for real, of sources of length 0 as well
# loses: padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) <= lengths[:, None]
    scores = scores.masked_fill(~real[:, None], -math.inf)
    weights = scores.softmax(dim=2)
    return weights @ keys, weights


# %% product: projections multiplied instead of added
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] * for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% renormalized: the padding set to 0 after the softmax, and the rest divided by its sum
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


# %% scaled: scores divided by the root of the number of hidden units
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v / math.sqrt(len(v))
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% sigmoid: a logistic function in place of the tanh
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.sigmoid(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% small_mask: a finite number in place of minus infinity, and scores that are lower still
# loses: large scores
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~real[:, None], -100.0)
    weights = scores.softmax(dim=2).masked_fill(~real[:, None], 0.0)
    return weights @ keys, weights


# %% steps_axis: the softmax over the steps of the decoder
# loses: weights, padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=1).nan_to_num().masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% tanh_each: the tanh of each projection instead of their sum
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = for_query.tanh()[:, :, None] + for_keys.tanh()[:, None]
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% transposed: weights with the keys as the first axis, as Garcia writes them
# loses: weights, padding, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights.transpose(1, 2).reshape(weights.shape)


# %% v_inside: v inside the tanh
# loses: weights, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = for_query[:, :, None] + for_keys[:, None]
    scores = torch.tanh(inner @ v)
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% zero_scores: scores of the padding set to 0 instead of minus infinity
# loses: padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), 0.0)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    return weights @ keys, weights


# %% zero_scores_cut: scores of the padding set to 0, and its weights cut off after the softmax
# loses: padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), 0.0)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    weights = weights * real[:, None]
    return weights @ keys, weights


# %% thousandth: weights below a thousandth set to 0
# loses: weights, padding, context, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    weights = torch.where(weights < 1e-3, 0.0, weights)
    return weights @ keys, weights


# %% hundredth: a softmax whose divisor has 0.01 added
# loses: weights, padding, context, large scores, gradients
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query, for_keys = query @ W_query.T, keys @ W_key.T
    inner = torch.tanh(for_query[:, :, None] + for_keys[:, None])
    scores = inner @ v
    real = torch.arange(keys.shape[1]) < lengths[:, None]
    empty = (lengths == 0)[:, None, None]
    scores = scores.masked_fill(~(real[:, None] | empty), -math.inf)
    powers = (scores - scores.amax(dim=2, keepdim=True)).exp()
    weights = (powers / (powers.sum(dim=2, keepdim=True) + 0.01)).masked_fill(empty, 0.0)
    return weights @ keys, weights
