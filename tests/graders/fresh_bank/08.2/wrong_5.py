# question 08.2
# wrong: the result is transposed
# differs: f = lambda x: x.cumsum(0), time 2
def who_sees_whom(f, x):
    """Which rows of the input can move which rows of the output."""
    time, d = x.shape
    before = f(x.clone()).detach().clone()
    sees = torch.zeros(time, time, dtype=torch.bool)
    for s in range(time):
        for i in range(d):
            for step in (2.0, -2.0, 3.7, -3.7, 7.1, -7.1, 10.0, -10.0):
                changed = x.clone()
                changed[s, i] += step
                after = f(changed).detach()
                sees[:, s] |= ((after - before).abs() > 1e-5).any(dim=1)
    return sees.T
