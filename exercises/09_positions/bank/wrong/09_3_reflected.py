"""a reflection: the minus sign in both lines"""


# loses: distances, values, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, odd * cosine - even * sine)
    return torch.stack(pairs, dim=-1).flatten(-2)
