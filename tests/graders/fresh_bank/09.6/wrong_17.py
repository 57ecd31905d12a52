# question 09.6
# wrong: float64 angles of the whole position are reduced by a period first, with a float64 2 pi: as far off as the angle itself
# differs: positions near 4e15
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    d = query.shape[2]
    rate = base ** (-torch.arange(0, d, 2).double() / d)

    def turn(x, positions):
        angle = torch.remainder(positions.double()[:, None] * rate, 2 * math.pi)
        cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        even, odd = x[..., 0::2], x[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)

    query = turn(query, query_positions)
    return query @ turn(key, key_positions).transpose(1, 2)
