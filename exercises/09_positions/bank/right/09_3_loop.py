"""Pair by pair."""


def rotate(x, positions, base=10000.0):
    columns = []
    d = x.shape[3]
    for j in range(d // 2):
        angle = positions.double() * base ** (-2 * j / d)
        a, b = x[:, :, :, 2 * j], x[:, :, :, 2 * j + 1]
        columns.append(a * angle.cos() - b * angle.sin())
        columns.append(a * angle.sin() + b * angle.cos())
    return torch.stack(columns, 3)
