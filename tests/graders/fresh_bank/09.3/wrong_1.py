# question 09.3
# wrong: features j and j + d/2 are paired
# differs: d_head 4, position 1 (for d_head 2 it is right)
def rotate(x, positions, base=10000.0):
    """Each pair of features turned by its position's angle."""
    d = x.shape[-1]
    rates = float(base) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions.double()[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
