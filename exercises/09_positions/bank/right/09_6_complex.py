"""Complex numbers, counted from the last position."""


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
