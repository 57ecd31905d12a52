# question 09.3
# wrong: the pairs come back one after the other, all even ones first
# differs: d_head 4
def rotate(x, positions, base=10000.0):
    """Each pair of features turned by its position's angle."""
    d = x.shape[-1]
    rates = float(base) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions.double()[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.cat([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
