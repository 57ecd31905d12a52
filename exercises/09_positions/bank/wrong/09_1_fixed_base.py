"""the base 10000, whatever `base` is"""


# loses: bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
