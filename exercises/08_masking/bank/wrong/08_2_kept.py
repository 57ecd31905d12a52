"""changes that are not taken back before the next row"""


# loses: attention, little, gates
def who_sees_whom(f, x):
    changed = x.clone()
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -10.0):
                changed[s, c] += step
                moved = (f(changed.clone()) - before).abs().amax(dim=1)
                seen[:, s] |= moved > 1e-5
    return seen
