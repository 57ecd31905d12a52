"""Named mistakes in question 10.7."""


# %% all_heads_kept: a cache of the keys and values of all heads of queries
# loses: cache
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    each = n_heads // (w["W_k"].shape[1] // k)
    key, value = key.repeat_interleave(each, 1), value.repeat_interleave(each, 1)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    scores = query @ key.mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% backwards: queries and keys that are turned the other way
# loses: positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), (-angle).sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% base_fixed: a base that is always 10,000
# loses: attention, positions, pieces, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = 10000.0 ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% detached: a cache without gradients
# loses: extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key.detach(), value.detach())


# %% epsilon_outside: the epsilon added to the root mean square, outside the root
# loses: network, one token, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True).sqrt() + 1e-5)

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% epsilon_small: an epsilon of 1e-6
# loses: network, one token, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-6).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% gates_exchanged: a network in which the two inner layers are exchanged
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_1"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_g"])
    return u + inner @ w["W_2"], (key, value)


# %% gelu: a gate with GELU in place of the Swish
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = nn.functional.gelu(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% glu: a gate that is the logistic function alone, not a times it
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% halves: pairs of one feature of the first half and one of the second
# loses: positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y.chunk(2, -1)
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.cat(pairs, -1)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% heads_in_turn: shared heads that are given out in turn, not to neighbors
# loses: one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat(1, each, 1, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat(1, each, 1, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% heads_last: columns cut so that the features come first, not the heads
# loses: one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (k, -1)).movedim(3, 1)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% last_piece: a cache of the last piece only
# loses: pieces, cache, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    kept = (key, value)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], kept


# %% layer_norm: LayerNorm in place of RMSNorm: the mean is subtracted
# loses: network, one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        y = y - y.mean(-1, keepdim=True)
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% line_from_norm: a network whose line begins behind the norm
# loses: network, one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return normed + inner @ w["W_2"], (key, value)


# %% mask_after: a mask after the softmax, renormalized
# loses: extremes
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.softmax(-1).masked_fill(ahead, 0)
    shares = shares / shares.sum(-1, keepdim=True)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% mask_from_zero: a mask that begins at the first token with every piece
# loses: pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% no_cache: a cache that is returned and never read
# loses: pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% no_epsilon: RMSNorm without the epsilon
# loses: network, one token, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True)).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% no_first_line: attention without its residual line
# loses: network, one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% no_gain: norms without their gains
# loses: network, one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% no_gate: a network without the linear layer that the gate multiplies
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate)
    return u + inner @ w["W_2"], (key, value)


# %% no_mask: attention to later tokens too
# loses: attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% no_scale: scores that are not divided by the root of the width
# loses: attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% no_second_line: a network without its residual line
# loses: network, one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return inner @ w["W_2"], (key, value)


# %% no_shift: a softmax that does not subtract the largest score
# loses: extremes
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).exp()
    shares = shares / shares.sum(-1, keepdim=True)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% not_joined: heads that are joined without moving them behind the time
# loses: attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.reshape(x.shape[0], time, -1) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% not_pre: a network that reads the stream before the norm
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = u
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% not_turned: queries and keys that are not turned
# loses: positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = heads(normed @ w["W_q"])
    key, value = heads(normed @ w["W_k"]), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% one_gain: the first norm's gain in both norms
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_1"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% one_list: a cache that is changed when a longer one is made
# loses: cache
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is None:
        cache = [key, value]
    else:
        cache[0] = torch.cat([cache[0], key], dim=2)
        cache[1] = torch.cat([cache[1], value], dim=2)
    key, value = cache
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], cache


# %% only_queries: queries that are turned, and keys that are not
# loses: positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = heads(normed @ w["W_k"]), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% order: a cache that puts the new tokens first
# loses: pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([key, cache[0]], dim=2)
        value = torch.cat([value, cache[1]], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% overflow: a gate that divides by one plus an exponential, which overflows
# loses: extremes
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate / (1 + torch.exp(-gate)) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% pair_number: rates by the number of the pair, without the 2
# loses: positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(k // 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% parallel: attention and network side by side, both reading x
# loses: positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(x, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% position_zero: pieces that all begin at position 0
# loses: pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(0, time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% post_norm: post-norm: each sum is normalized
# loses: network, one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = x
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = rms_norm(x + found.transpose(1, 2).flatten(2) @ w["W_o"], w["gain_1"])
    normed = u
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return rms_norm(u + inner @ w["W_2"], w["gain_2"]), (key, value)


# %% rates_of_stream: rates by the width of the stream, not of a head
# loses: positions, pieces, cache, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / x.shape[2])
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% relu_gate: a gate with ReLU in place of the Swish
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate.relu() * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% scale_of_stream: scores divided by the root of the stream's width
# loses: attention, positions, pieces, cache, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(x.shape[2])
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% short_table: positions that end at 256, as those of a table do
# loses: pieces
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64).clamp(max=255)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% sum_of_layers: a network that adds its two inner layers
# loses: network, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) + (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% sum_of_squares: features divided by their length, not by their root mean square
# loses: network, one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().sum(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% turned_twice: keys of the cache that are turned again with each piece
# loses: pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = heads(normed @ w["W_k"]), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    total = torch.arange(key.shape[2]).double()[:, None] * rate
    cosine, sine = total.cos().to(x.dtype), total.sin().to(x.dtype)
    key = turn(key)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% values_first: a cache with the values first, which are then read as keys
# loses: pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (value, key)


# %% values_in_turn: shared values that are given out in turn, while the keys go to neighbors
# loses: one token, attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat(1, each, 1, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% values_turned: values that are turned as well
# loses: attention, positions, pieces, cache, extremes, gradients
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), turn(heads(normed @ w["W_v"]))
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    ahead = torch.ones_like(scores, dtype=torch.bool).triu(start + 1)
    shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)


# %% zero_means_masked: scores of 0 taken for masked ones
# loses: positions
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    """A block with grouped heads, rotary positions and a gated network.

    x:       float tensor (batch, time, d), time at least 1
    weights: dict of float tensors: gain_1 (d,), W_q (d, n_heads * k),
             W_k and W_v (d, n_kv * k), W_o (n_heads * k, d), gain_2 (d,),
             W_g and W_1 (d, m), W_2 (m, d)
    n_heads: the number of heads of queries
    cache:   None, or the cache returned for the tokens before
    base:    b, a number
    returns: a tuple: z (batch, time, d), and the cache, a tuple of two
             float tensors (batch, n_kv, tokens so far, k)
    """
    w, time = weights, x.shape[1]
    k = w["W_q"].shape[1] // n_heads
    start = 0 if cache is None else cache[0].shape[2]

    def rms_norm(y, gain):
        return gain * y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    def heads(y):
        return y.unflatten(2, (-1, k)).transpose(1, 2)

    position = torch.arange(start, start + time, dtype=torch.float64)
    rate = base ** (-torch.arange(0, k, 2).double() / k)
    angle = position[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)

    def turn(y):
        even, odd = y[..., 0::2], y[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    query = turn(heads(normed @ w["W_q"]))
    key, value = turn(heads(normed @ w["W_k"])), heads(normed @ w["W_v"])
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    each = n_heads // key.shape[1]
    scores = query @ key.repeat_interleave(each, 1).mT / math.sqrt(k)
    scores = scores.tril(start)
    shares = scores.masked_fill(scores == 0, -math.inf).softmax(-1)
    found = shares @ value.repeat_interleave(each, 1)
    u = x + found.transpose(1, 2).flatten(2) @ w["W_o"]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    inner = gate * torch.sigmoid(gate) * (normed @ w["W_1"])
    return u + inner @ w["W_2"], (key, value)
