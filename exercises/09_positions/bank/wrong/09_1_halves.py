"""all sines before all cosines"""


# loses: even widths, odd widths, bases
def waves(positions, d, base=10000.0):
    angle = positions.double()[:, None] * base ** (-torch.arange(0, d, 2).double() / d)
    return torch.cat([angle.sin(), angle.cos()], dim=1)[:, :d]
