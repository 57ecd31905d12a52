"""Right answers to question 09.3."""


# %% complex: Pairs as complex numbers.
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.outer(positions.double(), rate)
    turn = torch.polar(torch.ones_like(angle), angle)
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(pairs * turn).reshape(x.shape)


# %% loop: Pair by pair.
def rotate(x, positions, base=10000.0):
    columns = []
    d = x.shape[3]
    for j in range(d // 2):
        angle = positions.double() * base ** (-2 * j / d)
        a, b = x[:, :, :, 2 * j], x[:, :, :, 2 * j + 1]
        columns.append(a * angle.cos() - b * angle.sin())
        columns.append(a * angle.sin() + b * angle.cos())
    return torch.stack(columns, 3)


# %% matrices: One matrix per position.
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    matrices = torch.zeros(len(positions), d, d, dtype=torch.float64)
    for j in range(0, d, 2):
        angle = positions.double() / base ** (j / d)
        matrices[:, j, j] = matrices[:, j + 1, j + 1] = angle.cos()
        matrices[:, j + 1, j] = angle.sin()
        matrices[:, j, j + 1] = -angle.sin()
    return torch.einsum("tde,bhte->bhtd", matrices, x.double())


# %% partner: Each feature and its partner.
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rate = (base ** (-torch.arange(0, d, 2) / d)).repeat_interleave(2)
    angle = positions[:, None] * rate
    partner = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
    return x * angle.cos() + partner * angle.sin()
