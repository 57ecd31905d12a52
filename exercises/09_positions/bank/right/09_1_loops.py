"""Number by number."""


def waves(positions, d, base=10000.0):
    rows = []
    for t in positions.tolist():
        row = []
        for column in range(d):
            angle = t * base ** (-2 * (column // 2) / d)
            row.append(math.cos(angle) if column % 2 else math.sin(angle))
        rows.append(row)
    return torch.tensor(rows)
