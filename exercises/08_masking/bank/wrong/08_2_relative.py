"""a tolerance that grows with the output, so that a large one may move unseen"""


# loses: little
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for step in (5.0, -5.0):
                changed = x.clone()
                changed[s, c] += step
                same = torch.isclose(f(changed), before, atol=1e-5).all(dim=1)
                seen[:, s] |= ~same
    return seen
