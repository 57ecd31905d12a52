"""A loop over the heads, with matrices that turn."""


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
