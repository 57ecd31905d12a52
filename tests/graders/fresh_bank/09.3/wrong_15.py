# question 09.3
# wrong: positions are counted from the first one: positions[0] is taken off, so scores are right and values wrong
# differs: positions [3., 4.]
def rotate(x, positions, base=10000.0):
    """Each pair of features turned by its position's angle."""
    d = x.shape[-1]
    rates = float(base) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = (positions - positions[0]).double()[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
