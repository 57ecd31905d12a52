"""Named mistakes in question 06.1."""


# %% axis: a softmax over the queries
# loses: weights, values, large scores, mask, nothing allowed, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(1) @ value
    blind = ~allowed.any(1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(1).masked_fill(~allowed, 0.0)
    return weights @ value


# %% blind_mean: the mean of all values for queries that may attend to nothing
# loses: nothing allowed, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    return scores.softmax(-1) @ value


# %% blind_nan: NaN for queries that may attend to nothing
# loses: nothing allowed, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    return scores.softmax(-1) @ value


# %% blind_ones: ones instead of zeros for queries that may attend to nothing
# loses: nothing allowed
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 1.0)


# %% clipped: queries, keys and values cut off at 10
# loses: values, large scores, gradients
def attention(query, key, value, allowed=None):
    query, key = query.clamp(-10, 10), key.clamp(-10, 10)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value.clamp(-10, 10)
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)


# %% mask_after: weights zeroed after the softmax: rows no longer sum to 1
# loses: large scores, mask, nothing allowed, gradients
def attention(query, key, value, allowed=None):
    weights = (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1)
    if allowed is not None:
        weights = weights * allowed
    return weights @ value


# %% mask_inverted: a mask read the wrong way round: True as forbidden
# loses: large scores, mask, nothing allowed, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = allowed.all(-1, keepdim=True)
    weights = scores.masked_fill(allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)


# %% mask_zero: forbidden scores set to 0, which is a score like others
# loses: large scores, mask, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value
    weights = (scores * allowed).softmax(-1)
    return (weights @ value).masked_fill(~allowed.any(-1, keepdim=True), 0.0)


# %% nan_to_num: zeros in place of NaN forward, but NaN in the gradient
# loses: gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores + torch.zeros(allowed.shape).masked_fill(~allowed, -torch.inf)
    return scores.softmax(-1).nan_to_num(0.0) @ value


# %% no_scale: attention without the 1/sqrt(d_key) scale
# loses: values, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)


# %% overflow: exponentials of the scores themselves, which overflow
# loses: large scores, gradients
def attention(query, key, value, allowed=None):
    exponentials = (query @ key.mT / query.shape[-1] ** 0.5).exp()
    if allowed is not None:
        exponentials = exponentials * allowed
    total = exponentials.sum(-1, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1.0) @ value


# %% scale_d: scores divided by d_key instead of its root
# loses: values, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1]
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)


# %% scale_times: scores multiplied by sqrt(d_key)
# loses: values, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT * query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)


# %% scale_value: the scale of the values' width, 1/sqrt(d_value)
# loses: values, gradients
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / value.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(blind, 0.0)
