"""Token by token, with keys in the cache that are not turned."""


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
    at = [turned(key[:, :, t], t) for t in range(key.shape[2])]
    rows = []
    for i in range(x.shape[1]):
        seen = past + i + 1
        q = turned(query[:, :, i], past + i).reshape(len(x), shared, -1, k)
        scores = q @ torch.stack(at[:seen], 3) * k**-0.5
        rows.append((torch.softmax(scores, 3) @ value[:, :, :seen]).reshape(len(x), -1))
    u = x + torch.stack(rows, 1) @ weights["W_o"]
    normed = scaled(u, weights["gain_2"])
    inner = nn.functional.silu(normed @ weights["W_g"]) * (normed @ weights["W_1"])
    return u + inner @ weights["W_2"], (key, value)
