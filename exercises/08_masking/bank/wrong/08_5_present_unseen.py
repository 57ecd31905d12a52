"""place t predicted without its last known input"""


# loses: unseen, reported losses
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights, -1)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": np.abs(np.triu(weights, 1)).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}
