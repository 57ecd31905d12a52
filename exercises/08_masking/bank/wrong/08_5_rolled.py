"""the last number of a series as its first input"""


# loses: seen, unseen, reported losses
def measure(weights, x):
    inputs = np.roll(x, 1, axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}
