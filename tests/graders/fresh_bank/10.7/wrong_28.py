# question 10.7
# wrong: z leaves out the network's line u
# differs: W_o zero: z - x comes back
def rms_norm(y, gain):
    return gain * y * (y.square().mean(dim=-1, keepdim=True) + 1e-5).rsqrt()


def turn(a, first, base):
    """Rotary positions of a (batch, heads, time, k), from `first` on."""
    time, k = a.shape[2:]
    rate = base ** (-torch.arange(0, k, 2, dtype=torch.float64) / k)
    angle = torch.arange(first, first + time)[:, None] * rate
    cosine, sine = angle.cos().to(a.dtype), angle.sin().to(a.dtype)
    even, odd = a[..., 0::2], a[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    batch, time, d = x.shape
    k = weights["W_q"].shape[1] // n_heads
    n_kv = weights["W_k"].shape[1] // k
    past = 0 if cache is None else cache[0].shape[2]

    y = rms_norm(x, weights["gain_1"])
    query = (y @ weights["W_q"]).view(batch, time, n_heads, k).transpose(1, 2)
    key = (y @ weights["W_k"]).view(batch, time, n_kv, k).transpose(1, 2)
    value = (y @ weights["W_v"]).view(batch, time, n_kv, k).transpose(1, 2)
    query, key = turn(query, past, base), turn(key, past, base)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)

    share = n_heads // n_kv
    keys = key.repeat_interleave(share, dim=1)
    values = value.repeat_interleave(share, dim=1)
    scores = query @ keys.transpose(2, 3) / math.sqrt(k)
    future = torch.ones(time, past + time, dtype=torch.bool).triu(past + 1)
    found = scores.masked_fill(future, -math.inf).softmax(dim=3) @ values
    u = x + found.transpose(1, 2).flatten(2) @ weights["W_o"]

    y = rms_norm(u, weights["gain_2"])
    gate = y @ weights["W_g"]
    inner = gate * gate.sigmoid() * (y @ weights["W_1"])
    return inner @ weights["W_2"], (key, value)
