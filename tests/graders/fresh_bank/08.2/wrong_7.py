# question 08.2
# wrong: one copy is changed and f may hand back that very tensor, so nothing seems to have moved
# differs: f = lambda x: x
def who_sees_whom(f, x):
    """Which rows of the input can move which rows of the output."""
    time, d = x.shape
    work = x.clone()
    before = f(work)
    sees = torch.zeros(time, time, dtype=torch.bool)
    for s in range(time):
        for i in range(d):
            for step in (2.0, -2.0, 3.7, -3.7, 7.1, -7.1, 10.0, -10.0):
                work[s, i] += step
                after = f(work)
                sees[:, s] |= ((after - before).abs() > 1e-5).any(dim=1)
                work[s] = x[s]
    return sees
