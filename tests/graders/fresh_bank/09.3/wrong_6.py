# question 09.3
# wrong: positions are rounded down to whole numbers
# differs: positions [0.5]
def rotate(x, positions, base=10000.0):
    """Each pair of features turned by its position's angle."""
    d = x.shape[-1]
    rates = float(base) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions.long().double()[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
