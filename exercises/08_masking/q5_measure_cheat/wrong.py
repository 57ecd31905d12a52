"""Named mistakes in question 08.5."""


# %% answer_kept: the answer, input t + 1, counted as past
# loses: unseen, future, reported losses, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights, 1)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% columns: columns of the weights used as rows
# loses: seen, unseen, reported losses
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights - x) ** 2).mean(),
        "unseen": ((inputs @ past - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% honest_unmasked: the unmasked model's own `unseen` reported as honest
# loses: reported losses
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.88151}


# %% masked_report: a report on the masked weights alone
# loses: reported losses, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.41349, "unseen": 0.41349, "future": 0.0, "honest": 0.41349}


# %% not_shifted: the series itself as inputs, without the 0 in front
# loses: seen, unseen, reported losses
def measure(weights, x):
    inputs = x
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% past_share: the share of the past instead of the future
# loses: future, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% present: input t counted as future
# loses: unseen, future, reported losses, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights, -1)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% present_unseen: place t predicted without its last known input
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


# %% rolled: the last number of a series as its first input
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


# %% root: the root of the mean squared error
# loses: seen, unseen, reported losses
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean() ** 0.5,
        "unseen": ((inputs @ past.T - x) ** 2).mean() ** 0.5,
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% rows_alike: the mean of the rows' shares instead of the share of the whole sum
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


# %% sign_at_the_end: an absolute value of sums instead of a sum of absolute values
# loses: future, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": abs(np.triu(weights, 1).sum()) / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% signed: weights summed with their signs
# loses: future, reported share
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - past.sum() / weights.sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% sum: errors summed over the places instead of averaged
# loses: seen, unseen, reported losses
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).sum(axis=1).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).sum(axis=1).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}


# %% train: a report on the training series
# loses: reported losses
def measure(weights, x):
    inputs = np.concatenate([np.zeros((len(x), 1)), x[:, :-1]], axis=1)
    past = np.tril(weights)
    return {
        "seen": ((inputs @ weights.T - x) ** 2).mean(),
        "unseen": ((inputs @ past.T - x) ** 2).mean(),
        "future": 1 - np.abs(past).sum() / np.abs(weights).sum(),
    }


report = {"seen": 0.030368, "unseen": 0.87267, "future": 0.86294, "honest": 0.40911}


# %% two_digits: a report of two digits
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


# %% typed: numbers that were typed, and a function that measures nothing
# loses: seen, unseen, future, reported losses, reported share
def measure(weights, x):
    return report


report = {"seen": 0.033095, "unseen": 0.88151, "future": 0.86294, "honest": 0.41349}
