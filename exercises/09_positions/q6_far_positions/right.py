"""Right answers to question 09.6."""


# %% complex: Complex numbers, counted from the last position.
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    last = torch.maximum(query_positions.max(), key_positions.max())
    d = query.shape[2]
    rate = torch.tensor([base ** (-2 * j / d) for j in range(d // 2)], dtype=torch.float64)

    def turned(x, positions):
        pairs = torch.complex(x[..., 0::2].double(), x[..., 1::2].double())
        angle = torch.outer((positions - last).double(), rate)
        return pairs * torch.complex(angle.cos(), angle.sin())

    q, k = turned(query, query_positions), turned(key, key_positions)
    return (q @ k.transpose(1, 2).conj()).real


# %% distances: The angle of each distance.
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    d = query.shape[-1]
    distance = (query_positions[:, None] - key_positions[None]).double()
    angle = distance[..., None] * base ** (-torch.arange(0, d, 2).double() / d)
    a, b = query[:, :, None, 0::2].double(), query[:, :, None, 1::2].double()
    e, f = key[:, None, :, 0::2].double(), key[:, None, :, 1::2].double()
    return ((a * e + b * f) * angle.cos() + (a * f - b * e) * angle.sin()).sum(-1)


# %% keys_move: Keys turned by their distance, one query at a time.
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    columns = []
    for i in range(query.shape[1]):
        distance = (key_positions - query_positions[i]).float()
        moved = rotate(key[:, None], distance, base)[:, 0]
        columns.append((moved * query[:, i : i + 1]).sum(-1))
    return torch.stack(columns, 1)
