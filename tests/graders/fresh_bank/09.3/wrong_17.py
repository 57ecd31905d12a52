# question 09.3
# wrong: a cosine table is kept between calls by the number of positions alone
# differs: two calls of the same length with positions [1.] and then [2.]
tables = {}


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    name = (len(positions), d, base)
    if name not in tables:
        rates = float(base) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
        angles = positions.detach().double()[:, None] * rates
        tables[name] = angles.cos(), angles.sin()
    cos, sin = (table.to(x.dtype) for table in tables[name])
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
