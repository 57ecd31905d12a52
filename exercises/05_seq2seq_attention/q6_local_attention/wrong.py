"""Named mistakes in question 05.6."""


# %% all_keys: the softmax over all real keys, cut to the window afterwards
# loses: monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~real[:, None], -math.inf)
    weights = scores.softmax(dim=2).masked_fill(~near, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% always_gaussian: the Gaussian without raw too
# loses: monotonic, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if True:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% argument_order: the window around the key of the highest score
# loses: windows, monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    center = (query @ keys.transpose(1, 2)).masked_fill(~real[:, None], -math.inf).argmax(dim=2) + 1.0
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% density: the density of the normal distribution, with its factor
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
        weights = weights / (window / 2 * math.sqrt(2 * math.pi))
    return weights @ keys, weights


# %% empty_nan: NaN where a window is empty
# loses: monotonic, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~near, -math.inf)
    weights = scores.softmax(dim=2)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% empty_replaced: NaN of an empty window replaced in the weights only
# loses: gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores + torch.where(near, 0.0, -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% empty_uniform: equal weights where a window is empty
# loses: windows, monotonic, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% floored_gaussian: a Gaussian around the position rounded down
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * ((place - center.floor()[:, :, None]) / window) ** 2)
    return weights @ keys, weights


# %% gaussian_in_scores: scores multiplied by the Gaussian, before the softmax
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    if raw is not None:
        scores = scores * torch.exp(-2 * (distance / window) ** 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        pass
    return weights @ keys, weights


# %% half_window: half of the window to each side
# loses: windows, monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window / 2) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% huge_left: NaN and infinity of the padding replaced, and its other numbers left
# loses: gradients
def local_attention(query, keys, lengths, window, raw=None):
    keys = keys.nan_to_num(0.0, 0.0, 0.0)
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% keys_from_zero: keys that count from 0
# loses: windows, monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(keys.shape[1])
    real = place < lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% logistic: the logistic function by its formula, whose gradient is NaN where raw is very negative
# loses: gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * (1 / (1 + torch.exp(-raw)))
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% nan_only: NaN and infinity replaced in the results only
# loses: rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return (weights @ keys).nan_to_num(0.0, 0.0, 0.0), weights


# %% no_gaussian: predicted positions without the Gaussian
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        pass
    return weights @ keys, weights


# %% no_position_scale: predicted positions between 0 and 1
# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% no_shift: exponentials without a shift
# loses: rubbish
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    powers = scores.exp()
    weights = (powers / powers.sum(dim=2, keepdim=True)).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% no_two: a Gaussian without the 2 of its exponent
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-4 * (distance / window) ** 2)
    return weights @ keys, weights


# %% no_window: all real keys, with the Gaussian and without a window
# loses: windows, monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = real[:, None].expand(distance.shape[0] * 0 + len(keys), query.shape[1], keys.shape[1])
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% normalized_again: weights normalized again after the Gaussian
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
        weights = weights / weights.sum(dim=2, keepdim=True)
    return weights @ keys, weights


# %% not_squared: an exponential of the distance in place of its square
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window).abs())
    return weights @ keys, weights


# %% one_sided: windows that reach backward only
# loses: windows, monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance <= 0) & (distance >= -window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% open_edge: keys at the distance of the window left out
# loses: windows, monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() < window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% padding_seen: padding within the window attended to
# loses: windows, monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & torch.ones_like(real)[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% position_detached: predicted positions without a gradient
# loses: gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid().detach()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% predicted_without_window: the window ignored where positions are predicted
# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = ((distance.abs() <= window) | (raw is not None)) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% query_detached: queries without a gradient
# loses: gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query.detach() @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% relu: predicted positions that are raw itself, cut to the source
# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = torch.minimum(raw.clamp(min=0.0), lengths[:, None])
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% rounded: predicted positions rounded
# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = (lengths[:, None] * raw.sigmoid()).round()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% rounded_window: windows around the rounded position, with the Gaussian around the predicted one
# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = ((place - center.round()[:, :, None]).abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% rubbish_kept: padding that is masked, and still multiplied by its weight of 0
# loses: rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% scaled: scores divided by the root of the width
# loses: monotonic, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[2])
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% short_by_one: a predicted share of the length less 1
# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = 1 + (lengths[:, None] - 1) * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% steps_from_zero: steps that count from 0
# loses: windows, monotonic, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(query.shape[1])[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% wide_gaussian: a Gaussian whose sigma is the window
# loses: predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-0.5 * (distance / window) ** 2)
    return weights @ keys, weights


# %% width_of_batch: a predicted share of the batch's width instead of the row's length
# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = keys.shape[1] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights


# %% thousandth: weights below a thousandth set to 0
# loses: windows, monotonic, predicted, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = (distance.abs() <= window) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    weights = torch.where(weights < 1e-3, 0.0, weights)
    return weights @ keys, weights
