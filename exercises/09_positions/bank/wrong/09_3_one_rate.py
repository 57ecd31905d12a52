"""the same angle for all pairs"""


# loses: values, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = torch.ones(d // 2)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)
