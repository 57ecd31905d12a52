"""the mean of the rows' shares instead of the share of the whole sum"""


# loses: future, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - (np.abs(past).sum(1) / np.abs(weights).sum(1)).mean(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}
