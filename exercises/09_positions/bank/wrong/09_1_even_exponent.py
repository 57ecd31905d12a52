"""an exponent that divides by the next even number"""


# loses: odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / (d + d % 2))
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
