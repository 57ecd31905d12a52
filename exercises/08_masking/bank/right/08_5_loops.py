"""One place at a time."""


def measure(weights, x):
    n, time = x.shape
    inputs = np.hstack([np.zeros((n, 1)), x])[:, :time]
    seen, unseen, future = [], [], 0.0
    for t in range(time):
        known = inputs.copy()
        known[:, t + 1 :] = 0
        seen.append(np.square(inputs @ weights[t] - x[:, t]))
        unseen.append(np.square(known @ weights[t] - x[:, t]))
        future += np.abs(weights[t, t + 1 :]).sum()
    return dict(seen=np.mean(seen), unseen=np.mean(unseen), future=future / np.abs(weights).sum())


report = {"seen": 0.0330949, "unseen": 0.881507, "future": 0.862937, "honest": 0.413490}
