"""Right answers to question 08.2."""


# %% numpy: NumPy for the changes and the comparison.
def who_sees_whom(f, x):
    time, d = x.shape
    seen = np.zeros((time, time), dtype=bool)
    before = np.asarray(f(x.clone()))
    for s in range(time):
        for change in np.concatenate([3 * np.eye(d), -3 * np.eye(d)]):
            rows = x.numpy().copy()
            rows[s] += change.astype(np.float32)
            after = np.asarray(f(torch.from_numpy(rows)))
            seen[:, s] |= np.abs(after - before).max(axis=1) > 1e-5
    return seen


# %% random: Random changes of each feature.
def who_sees_whom(f, x):
    generator = torch.Generator().manual_seed(0)
    before = f(x.clone())
    columns = []
    for s in range(len(x)):
        moved = torch.zeros(len(x), dtype=torch.bool)
        for number in range(2 * x.shape[1]):
            changed = x.clone()
            size = 2.1 + 7.8 * torch.rand((), generator=generator)
            changed[s, number // 2] += size if number % 2 else -size
            moved |= ((f(changed) - before).abs() > 1e-5).any(dim=1)
        columns.append(moved)
    return torch.stack(columns, dim=1)


# %% set: A set of pairs, each row put back after its turn.
def who_sees_whom(f, x):
    work, pairs = x.clone(), set()
    before = f(work.clone()).clone()
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for factor in (1, -1):
                work[s, c] = x[s, c] + 6 * factor
                distance = (f(work.clone()) - before).norm(dim=1)
                pairs |= {(t, s) for t, moved in enumerate(distance.tolist()) if moved > 1e-5}
                work[s, c] = x[s, c]
    return [[(t, s) in pairs for s in range(len(x))] for t in range(len(x))]
