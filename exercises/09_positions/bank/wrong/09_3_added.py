"""waves added in place of a rotation"""


# loses: distances, values, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.double()[:, None] * base ** (-torch.arange(0, d, 2).double() / d)
    return x + torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2).to(x.dtype)
