# question 09.3
# wrong: x is turned in place
# differs: any x: it is another after the call
def rotate(x, positions, base=10000.0):
    """Each pair of features turned by its position's angle."""
    d = x.shape[-1]
    rates = float(base) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions.double()[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    first, second = even * cos - odd * sin, even * sin + odd * cos
    with torch.no_grad():
        x[..., 0::2] = first
        x[..., 1::2] = second
    return torch.stack([first, second], dim=-1).flatten(-2)
