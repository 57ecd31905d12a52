# question 08.2
# wrong: changes of 100 alone are tried, more than the 2 to 10 at which f is known to move
# differs: f = lambda x: torch.relu(10 - (x - 10).abs()) at x of zeros (any change of 2 to 10 upward moves it, one of 100 does not)
def who_sees_whom(f, x):
    """Which rows of the input can move which rows of the output."""
    time, d = x.shape
    before = f(x.clone()).detach().clone()
    sees = torch.zeros(time, time, dtype=torch.bool)
    for s in range(time):
        for i in range(d):
            for step in (100.0, -100.0):
                changed = x.clone()
                changed[s, i] += step
                after = f(changed).detach()
                sees[:, s] |= ((after - before).abs() > 1e-5).any(dim=1)
    return sees
