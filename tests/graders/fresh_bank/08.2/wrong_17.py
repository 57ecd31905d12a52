# question 08.2
# wrong: a row is swapped with the next one, and the last with the first: one row of time 1 never moves
# differs: f = lambda x: x, time 1
def who_sees_whom(f, x):
    time = len(x)
    before = f(x.clone()).clone()
    sees = torch.zeros(time, time, dtype=torch.bool)
    for s in range(time):
        changed = x.clone()
        changed[s] = x[(s + 1) % time] + (5 if time > 1 else 0)
        sees[:, s] = ((f(changed) - before).abs() > 1e-5).any(dim=1)
    return sees
