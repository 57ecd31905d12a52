"""a report of two digits"""


# loses: reported losses, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033, "unseen": 0.88, "future": 0.86, "honest": 0.41}
