"""Right answers to question 09.1."""


# %% complex: The powers of a complex number.
def waves(positions, d, base=10000.0):
    pairs = (d + 1) // 2
    rate = torch.tensor([base ** (-2 * j / d) for j in range(pairs)], dtype=torch.float64)
    turned = torch.exp(1j * torch.outer(positions.double(), rate))
    both = torch.stack([turned.imag, turned.real], dim=2)
    return both.reshape(len(positions), 2 * pairs)[:, :d]


# %% loops: Number by number.
def waves(positions, d, base=10000.0):
    rows = []
    for t in positions.tolist():
        row = []
        for column in range(d):
            angle = t * base ** (-2 * (column // 2) / d)
            row.append(math.cos(angle) if column % 2 else math.sin(angle))
        rows.append(row)
    return torch.tensor(rows)


# %% numpy: NumPy, with a cosine as a sine a quarter turn ahead.
def waves(positions, d, base=10000.0):
    column = np.arange(d)
    rate = np.exp(-np.log(base) * (column // 2) * 2 / d)
    angle = np.outer(positions.numpy().astype(np.float64), rate)
    return np.sin(angle + (column % 2) * np.pi / 2)


# %% slices: Sines into the even columns, cosines into the odd ones.
def waves(positions, d, base=10000.0):
    table = torch.zeros(len(positions), d, dtype=torch.float64)
    angles = positions.double().unsqueeze(1) / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d // 2]
    return table
