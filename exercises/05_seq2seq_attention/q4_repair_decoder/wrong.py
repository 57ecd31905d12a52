"""Named mistakes in question 05.4."""


# %% batch_axis: the softmax over the batch
# loses: weights, at rest, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=0).nan_to_num()
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% context_as_state: the context handed on as the next state
# loses: logits, weights, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
        state = context
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% detached_left: states that are detached, the rest mended
# loses: gradients of the states, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state.detach() @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% exchanged: the state before the context
# loses: logits, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([state, context], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% keys_detached: a context of keys that are detached
# loses: training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys.detach())[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% mask_inverted: real words masked instead of the padding
# loses: weights, at rest, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(real, -math.inf).softmax(dim=1).nan_to_num()
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% no_recurrence: states that do not read the state before
# loses: logits, weights, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% padding_alone: the mask mended, and nothing else
# loses: logits, weights, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[:, -1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        state = torch.tanh(x[:, j] @ W_x.T + state.detach() @ W_h.T)
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% padding_left: padding set to 0 after the softmax, the rest mended
# loses: at rest, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.softmax(dim=1) * real
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% query_alone: the order within a step mended, and nothing else
# loses: logits, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[:, -1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state.detach() @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.softmax(dim=1) * real
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% query_left: steps that ask with the state before, the rest mended
# loses: weights, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% renormalized: padding set to 0 after the softmax, and the rest divided by its sum
# loses: all sizes
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.softmax(dim=1) * real
        weights = weights / weights.sum(dim=1, keepdim=True)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% scaled: scores divided by the root of the width
# loses: weights, at rest, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.div(math.sqrt(d)).masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% small_mask: a finite number in place of minus infinity, and scores that are lower still
# loses: all sizes
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -1000.0).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_alone: the start mended, and nothing else
# loses: weights, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.softmax(dim=1) * real
        context = (weights[:, None] @ keys)[:, 0]
        state = torch.tanh(x[:, j] @ W_x.T + state.detach() @ W_h.T)
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_behind: a start from the key behind the last word
# loses: logits, at rest, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths.clamp(max=time - 1)]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_detached: a start that is detached
# loses: gradients of the states, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1].detach()
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_first: a start from the first key
# loses: logits, weights, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[:, 0]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_left: a start from the last key of the row, padding or not, the rest mended
# loses: logits, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[:, -1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_longest: a start from the place at which the longest source ends
# loses: logits, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths.max() - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_mean: a start from the mean of the real keys
# loses: logits, weights, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = (keys * real[:, :, None]).sum(dim=1) / lengths[:, None]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_second_last: a start from the last key but one
# loses: logits, weights, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths.sub(2).clamp(min=0)]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% start_zeros: a start from zeros
# loses: logits, weights, at rest, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = torch.zeros_like(keys[:, 0])
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% time_alone: detach removed, and nothing else
# loses: logits, weights, at rest, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[:, -1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.softmax(dim=1) * real
        context = (weights[:, None] @ keys)[:, 0]
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% transposed_h: W_h transposed
# loses: logits, weights, gradients of the states, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% weights_detached: weights that are detached
# loses: training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1).detach()
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% weights_returned_detached: weights that are returned detached
# loses: training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights.detach())
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% zero_scores: scores of the padding set to 0 instead of minus infinity
# loses: at rest, all sizes, training
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, 0.0).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% thirty_back: states whose gradient goes back thirty steps and no further
# loses: gradients of the states
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, time, d = keys.shape
    real = torch.arange(time) < lengths[:, None]
    state = keys[torch.arange(batch), lengths - 1]
    all_logits, all_weights = [], []
    for j in range(x.shape[1]):
        state = state.detach() if j % 30 == 29 else state
        state = torch.tanh(x[:, j] @ W_x.T + state @ W_h.T)
        scores = (keys @ state[:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -math.inf).softmax(dim=1)
        context = (weights[:, None] @ keys)[:, 0]
        all_logits.append(torch.cat([context, state], dim=1) @ W_out.T)
        all_weights.append(weights)
    return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)
