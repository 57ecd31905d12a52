# question 08.2
# wrong: any difference counts, also those of at most 1e-5
# differs: f = lambda x: 1e-7 * x: nothing moves by the text
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
                sees[:, s] |= ((after - before).abs() > 0).any(dim=1)
    return sees
