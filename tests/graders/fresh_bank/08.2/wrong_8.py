# question 08.2
# wrong: x itself is changed and then changed back by subtracting, which leaves rounding errors in it
# differs: x of 0.1 in float32: not the same afterwards
def who_sees_whom(f, x):
    """Which rows of the input can move which rows of the output."""
    time, d = x.shape
    before = f(x.clone()).detach().clone()
    sees = torch.zeros(time, time, dtype=torch.bool)
    for s in range(time):
        for i in range(d):
            for step in (2.0, -2.0, 3.7, -3.7, 7.1, -7.1, 10.0, -10.0):
                changed = x
                changed[s, i] += step
                after = f(changed).detach().clone()
                sees[:, s] |= ((after - before).abs() > 1e-5).any(dim=1)
                changed[s, i] -= step
    return sees
