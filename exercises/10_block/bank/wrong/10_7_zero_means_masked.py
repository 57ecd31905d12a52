"""scores of 0 taken for masked ones"""
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
