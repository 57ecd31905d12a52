# question 08.2
# wrong: all features of a row are moved at once, by amounts from 2 to 3, and one closes what the other opens
# differs: f = lambda x: torch.relu(x[:, :1] - x[:, 1:2] - 1.9) at x of zeros, d = 2
def who_sees_whom(f, x):
    """Which rows of the input can move which rows of the output."""
    time, d = x.shape
    before = f(x.clone()).detach().clone()
    sees = torch.zeros(time, time, dtype=torch.bool)
    for s in range(time):
        for _ in range(1):
            for step in (1.0, -1.0):
                changed = x.clone()
                changed[s] += step * torch.linspace(2, 3, d, dtype=x.dtype)
                after = f(changed).detach()
                sees[:, s] |= ((after - before).abs() > 1e-5).any(dim=1)
    return sees
