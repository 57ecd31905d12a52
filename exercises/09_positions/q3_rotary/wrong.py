"""Named mistakes in question 09.3."""


# %% added: waves added in place of a rotation
# loses: distances, values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.double()[:, None] * base ** (-torch.arange(0, d, 2).double() / d)
    return x + torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2).to(x.dtype)


# %% along_heads: the head's number in place of the position's row where there are as many heads as positions
# loses: values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    if x.shape[1] == x.shape[2]:
        cosine, sine = cosine[:, None], sine[:, None]
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% backwards: a turn in the other direction
# loses: values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine + odd * sine, odd * cosine - even * sine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% detached: the turned vectors without a gradient
# loses: gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x.detach()[..., 0::2], x.detach()[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2) + 0.0 * x


# %% fixed_base: the base 10000, whatever `base` is
# loses: bases
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = 10000.0 ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% from_one: positions counted from 1
# loses: values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = (positions.double() + 1)[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% halves: features j and j + d/2 as pairs
# loses: values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.double()[:, None] * base ** (-torch.arange(0, d, 2).double() / d)
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)


# %% mirrored: positions below zero without their sign
# loses: any positions
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double().abs()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% not_interleaved: all first features of the pairs before all second ones
# loses: values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.cat(pairs, dim=-1)


# %% one_after_other: the second feature computed from the first one's new value
# loses: distances, values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    even = even * cosine - odd * sine
    pairs = (even, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% one_rate: the same angle for all pairs
# loses: values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = torch.ones(d // 2)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% pair_number: an exponent with the number of the pair in place of the column
# loses: values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(d // 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% reflected: a reflection: the minus sign in both lines
# loses: distances, values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, odd * cosine - even * sine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% rows: the positions 0, 1, 2, ... whatever is given
# loses: values, any positions, bases, gradients, distances
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = torch.arange(len(positions)).double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% short_table: positions that end at 512, as those of a table do
# loses: any positions
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double().clamp(-512, 512)[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% sign: two plus signs: no rotation
# loses: distances, values, any positions, bases, gradients
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine + odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% whole: positions cut to whole numbers
# loses: any positions
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2).double() / d)
    angle = positions.double().trunc()[:, None] * rate
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
    return torch.stack(pairs, dim=-1).flatten(-2)
