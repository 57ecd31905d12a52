# question 09.3
# wrong: the exponent is -j/d instead of -2j/d
# differs: d_head 4, position 1: features 2 and 3
def rotate(x, positions, base=10000.0):
    """Each pair of features turned by its position's angle."""
    d = x.shape[-1]
    rates = float(base) ** (-torch.arange(d // 2, dtype=torch.float64) / d)
    angles = positions.double()[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
