"""The powers of a complex number."""


def waves(positions, d, base=10000.0):
    pairs = (d + 1) // 2
    rate = torch.tensor([base ** (-2 * j / d) for j in range(pairs)], dtype=torch.float64)
    turned = torch.exp(1j * torch.outer(positions.double(), rate))
    both = torch.stack([turned.imag, turned.real], dim=2)
    return both.reshape(len(positions), 2 * pairs)[:, :d]
