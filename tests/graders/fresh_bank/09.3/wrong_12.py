# question 09.3
# wrong: the rates go from 1 down to 1 / base with both ends, as with 2j / (d - 2)
# differs: d_head 4, position 1: the second pair turns by 1e-4 instead of 1e-2
def rotate(x, positions, base=10000.0):
    """Each pair of features turned by its position's angle."""
    d = x.shape[-1]
    rates = float(base) ** (-torch.linspace(0, 1, d // 2, dtype=torch.float64))
    angles = positions.double()[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
