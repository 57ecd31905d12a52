"""Right answers to question 10.7."""


# %% complex: Complex numbers for the pairs, einsum for the heads, double precision inside.
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    kind = x.dtype
    W = {name: weight.double() for name, weight in weights.items()}
    batch, time, d = x.shape
    x = x.double()
    k = W["W_o"].shape[0] // n_heads
    n_kv = W["W_k"].shape[1] // k
    old = torch.zeros(2, batch, n_kv, 0, k).double() if cache is None else torch.stack(list(cache)).double()
    start = old.shape[3]
    turns = torch.outer(torch.arange(start, start + time).double(), base ** -(torch.arange(k // 2).double() * 2 / k))
    turns = torch.exp(1j * turns)

    def rms(y):
        return y * torch.rsqrt(torch.linalg.vecdot(y, y)[..., None] / d + 1e-5)

    def turn(y):
        pairs = torch.complex(y[..., ::2], y[..., 1::2]) * turns
        return torch.stack((pairs.real, pairs.imag), -1).reshape(y.shape)

    y = rms(x) * W["gain_1"]
    query = turn(torch.einsum("btd,dghk->bghtk", y, W["W_q"].reshape(d, n_kv, -1, k)))
    key = turn(torch.einsum("btd,dgk->bgtk", y, W["W_k"].reshape(d, n_kv, k)))
    value = torch.einsum("btd,dgk->bgtk", y, W["W_v"].reshape(d, n_kv, k))
    key, value = torch.cat((old[0], key), 2), torch.cat((old[1], value), 2)
    scores = torch.einsum("bghik,bgjk->bghij", query, key) / k**0.5
    allowed = torch.arange(start + time) <= torch.arange(start, start + time)[:, None]
    scores = torch.where(allowed, scores, -math.inf)
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    shares = powers / powers.sum(-1, keepdim=True)
    found = torch.einsum("bghij,bgjk->bighk", shares, value).reshape(batch, time, -1)
    u = x + found @ W["W_o"]
    y = rms(u) * W["gain_2"]
    gate = y @ W["W_g"]
    z = u + (gate * gate.sigmoid() * (y @ W["W_1"])) @ W["W_2"]
    return z.to(kind), (key.to(kind), value.to(kind))


# %% one_head: A loop over the heads, with matrices that turn.
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    batch, time, _ = x.shape
    gain_1, Q, K, V, O, gain_2, G, U, D = (
        weights[name] for name in ("gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    )
    k = Q.shape[1] // n_heads
    before = 0 if cache is None else cache[0].size(2)

    def norm(y, gain):
        return gain * (y / torch.sqrt(torch.mean(y**2, dim=2, keepdim=True) + 1e-5))

    matrices = x.new_zeros(time, k, k)
    for t in range(time):
        for j in range(0, k, 2):
            angle = (before + t) / base ** (j / k)
            matrices[t, j, j] = matrices[t, j + 1, j + 1] = math.cos(angle)
            matrices[t, j, j + 1], matrices[t, j + 1, j] = math.sin(angle), -math.sin(angle)

    y, keys, values, found = norm(x, gain_1), [], [], []
    for g in range(K.shape[1] // k):
        columns = slice(g * k, (g + 1) * k)
        keys.append(((y @ K[:, columns])[:, :, None] @ matrices)[:, :, 0])
        values.append(y @ V[:, columns])
        if cache is not None:
            keys[g] = torch.cat((cache[0][:, g], keys[g]), 1)
            values[g] = torch.cat((cache[1][:, g], values[g]), 1)
    each = n_heads // len(keys)
    late = torch.arange(before + time)[None] > before + torch.arange(time)[:, None]
    for h in range(n_heads):
        q = ((y @ Q[:, h * k : (h + 1) * k])[:, :, None] @ matrices)[:, :, 0]
        scores = q @ keys[h // each].transpose(1, 2) / k**0.5
        found.append(scores.masked_fill(late, float("-inf")).softmax(2) @ values[h // each])
    u = x + torch.cat(found, 2) @ O
    y = norm(u, gain_2)
    z = u + (nn.functional.silu(y @ G) * (y @ U)) @ D
    return z, (torch.stack(keys, 1), torch.stack(values, 1))


# %% rows: Token by token, with keys in the cache that are not turned.
def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    k = weights["W_q"].shape[1] // n_heads

    def scaled(y, gain):
        return y / ((y * y).sum(2, keepdim=True) / y.shape[2] + 1e-5) ** 0.5 * gain

    def turned(y, position):
        parts = []
        for j in range(0, k, 2):
            theta = position * base ** (-j / k)
            a, b = y[..., j], y[..., j + 1]
            parts += [a * math.cos(theta) - b * math.sin(theta), a * math.sin(theta) + b * math.cos(theta)]
        return torch.stack(parts, -1)

    normed = scaled(x, weights["gain_1"])
    query, key, value = (
        torch.stack((normed @ weights[name]).split(k, dim=2), 1) for name in ("W_q", "W_k", "W_v")
    )
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        key, value = torch.cat((cache[0], key), 2), torch.cat((cache[1], value), 2)
    shared = key.shape[1]
    at = torch.stack([turned(key[:, :, t], t) for t in range(key.shape[2])], 3)
    rows = []
    for i in range(x.shape[1]):
        seen = past + i + 1
        q = turned(query[:, :, i], past + i).reshape(len(x), shared, -1, k)
        scores = q @ at[..., :seen] * k**-0.5
        rows.append((torch.softmax(scores, 3) @ value[:, :, :seen]).reshape(len(x), -1))
    u = x + torch.stack(rows, 1) @ weights["W_o"]
    normed = scaled(u, weights["gain_2"])
    inner = nn.functional.silu(normed @ weights["W_g"]) * (normed @ weights["W_1"])
    return u + inner @ weights["W_2"], (key, value)
