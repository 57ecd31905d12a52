"""a row multiplied by 2, which leaves zeros as they are"""


# loses: little, gates
def who_sees_whom(f, x):
    before = f(x.clone())
    seen = torch.zeros(len(x), len(x), dtype=torch.bool)
    for s in range(len(x)):
        changed = x.clone()
        changed[s] *= 2
        seen[:, s] = (f(changed) - before).abs().amax(dim=1) > 1e-5
    return seen
