"""Loops over heads and queries."""


def pool_heads(W, n_heads, n_shared):
    pieces, size = W.chunk(n_heads, 1), n_heads // n_shared
    return torch.cat([sum(pieces[g : g + size]) / size for g in range(0, n_heads, size)], 1)


def grouped_attention(query, key, value):
    sharing = query.shape[1] // key.shape[1]
    before = key.shape[2] - query.shape[2]
    heads = []
    for h in range(query.shape[1]):
        k, v = key[:, h // sharing], value[:, h // sharing]
        rows = []
        for i in range(query.shape[2]):
            scores = (k[:, : before + i + 1] * query[:, h, i, None]).sum(-1) / math.sqrt(k.shape[-1])
            rows.append((scores.softmax(1)[..., None] * v[:, : before + i + 1]).sum(1))
        heads.append(torch.stack(rows, 1))
    return torch.stack(heads, 1)
