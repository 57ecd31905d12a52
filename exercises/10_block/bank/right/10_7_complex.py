"""Complex numbers for the pairs, einsum for the heads, double precision inside."""


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
