"""Sines into the even columns, cosines into the odd ones."""


def waves(positions, d, base=10000.0):
    table = torch.zeros(len(positions), d, dtype=torch.float64)
    angles = positions.double().unsqueeze(1) / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d // 2]
    return table
