# question 08.2
# wrong: the steps are too small to open a ReLU
# differs: f = lambda x: torch.relu(x - 1.5) at x of zeros
def who_sees_whom(f, x):
    """Which rows of the input can move which rows of the output."""
    time, d = x.shape
    before = f(x.clone()).detach().clone()
    sees = torch.zeros(time, time, dtype=torch.bool)
    for s in range(time):
        for i in range(d):
            for step in (1e-2, -1e-2, 1.0, -1.0):
                changed = x.clone()
                changed[s, i] += step
                after = f(changed).detach()
                sees[:, s] |= ((after - before).abs() > 1e-5).any(dim=1)
    return sees
