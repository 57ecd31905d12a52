"""One matrix per position."""


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    matrices = torch.zeros(len(positions), d, d, dtype=torch.float64)
    for j in range(0, d, 2):
        angle = positions.double() / base ** (j / d)
        matrices[:, j, j] = matrices[:, j + 1, j + 1] = angle.cos()
        matrices[:, j + 1, j] = angle.sin()
        matrices[:, j, j + 1] = -angle.sin()
    return torch.einsum("tde,bhte->bhtd", matrices, x.double())
