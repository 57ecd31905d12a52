"""rates that rise: the exponent without its minus sign"""


# loses: even widths, odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** ((column - column % 2).double() / d)
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
