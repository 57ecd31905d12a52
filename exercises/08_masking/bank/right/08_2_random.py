"""Many random changes of a whole row."""


def who_sees_whom(f, x):
    generator = torch.Generator().manual_seed(0)
    before = f(x.clone())
    columns = []
    for s in range(len(x)):
        moved = torch.zeros(len(x), dtype=torch.bool)
        for _ in range(25):
            changed = x.clone()
            changed[s] = x[s] + 10 * torch.randn(x.shape[1], generator=generator)
            moved |= ((f(changed) - before).abs() > 1e-5).any(dim=1)
        columns.append(moved)
    return torch.stack(columns, dim=1)
