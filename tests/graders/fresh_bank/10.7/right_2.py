# question 10.7
class Rotary:
    def __init__(self, k, base):
        self.rate = torch.tensor([float(base) ** (-2 * j / k) for j in range(k // 2)],
                                 dtype=torch.float64)

    def __call__(self, a):
        # the cache keeps plain keys: every call turns all it needs
        first = self.first
        theta = torch.outer(
            torch.arange(first, first + a.shape[-2], dtype=torch.float64), self.rate
        )
        c, s = theta.cos().to(a.dtype), theta.sin().to(a.dtype)
        out = torch.empty_like(a)
        out[..., ::2] = a[..., ::2] * c - a[..., 1::2] * s
        out[..., 1::2] = a[..., ::2] * s + a[..., 1::2] * c
        return out

    def at(self, first):
        self.first = first
        return self


def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    w = weights
    norm = lambda y, g: g * (y / torch.sqrt((y * y).mean(-1, keepdim=True) + 1e-5))
    k = w["W_q"].shape[1] // n_heads
    n_kv = w["W_k"].shape[1] // k
    split = lambda a, heads: torch.stack(a.split(k, dim=-1), dim=1)
    rotary = Rotary(k, base)

    y = norm(x, w["gain_1"])
    Q, K, V = split(y @ w["W_q"], n_heads), split(y @ w["W_k"], n_kv), split(y @ w["W_v"], n_kv)
    if cache is not None:
        K, V = torch.cat((cache[0], K), 2), torch.cat((cache[1], V), 2)
    total, m = K.shape[2], x.shape[1]
    Q, turned = rotary.at(total - m)(Q), rotary.at(0)(K)

    allowed = torch.arange(total) <= torch.arange(total - m, total)[:, None]
    heads = []
    for h in range(n_heads):
        g = h * n_kv // n_heads
        scores = torch.einsum("bqk,btk->bqt", Q[:, h], turned[:, g]) / k**0.5
        scores = scores.masked_fill(~allowed, float("-inf"))
        heads.append(torch.softmax(scores, -1) @ V[:, g])
    u = x + torch.cat(heads, dim=-1) @ w["W_o"]

    y = norm(u, w["gain_2"])
    z = u + (torch.nn.functional.silu(y @ w["W_g"]) * (y @ w["W_1"])) @ w["W_2"]
    return z, (K, V)
