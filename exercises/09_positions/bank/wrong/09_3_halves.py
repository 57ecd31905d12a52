"""features j and j + d/2 as pairs"""


# loses: values, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.double()[:, None] * base ** (-torch.arange(0, d, 2).double() / d)
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)
