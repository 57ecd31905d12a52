"""Named mistakes in question 09.1."""


# %% cosine_first: cosines in the even columns and sines in the odd ones
# loses: even widths, any positions, odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / d)
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.cos(), angle.sin())


# %% even_exponent: an exponent that divides by the next even number
# loses: odd widths
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / (d + d % 2))
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% fixed_base: the base 10000, whatever `base` is
# loses: bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% from_one: positions counted from 1
# loses: even widths, any positions, odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / d)
    angle = (positions + 1).double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% halves: all sines before all cosines
# loses: even widths, any positions, odd widths, bases
def waves(positions, d, base=10000.0):
    angle = positions.double()[:, None] * base ** (-torch.arange(0, d, 2).double() / d)
    return torch.cat([angle.sin(), angle.cos()], dim=1)[:, :d]


# %% mirrored: positions below zero without their sign
# loses: any positions
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / d)
    angle = positions.abs().double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% own_rates: a rate of its own for each column
# loses: even widths, any positions, odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-column.double() / d)
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% pair_number: an exponent with the number of the pair in place of the column
# loses: even widths, any positions, odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column // 2).double() / d)
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% rising: rates that rise: the exponent without its minus sign
# loses: even widths, any positions, odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** ((column - column % 2).double() / d)
    angle = positions.double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% rows: the rows 0, 1, 2, ... whatever the positions
# loses: even widths, any positions, odd widths, bases
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / d)
    angle = torch.arange(len(positions)).double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% short_table: positions that end at 512, as those of a table do
# loses: any positions
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / d)
    angle = positions.clamp(-512, 512).double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


# %% whole: positions cut to whole numbers
# loses: any positions
def waves(positions, d, base=10000.0):
    column = torch.arange(d)
    rate = base ** (-(column - column % 2).double() / d)
    angle = positions.trunc().double()[:, None] * rate
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
