"""Named mistakes in question 20.4."""


# %% add_half: a half added to each count
# loses: losses, predicted, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.full((vocab, vocab), 0.5)
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.array(losses[:-1]) - floor), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% one_pair_too_many: the pair that leads out of the first tokens
# loses: losses, predicted, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[:size][: len(train) - 1], train[1 : size + 1]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.array(losses[:-1]) - floor), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% columns: counts divided by those of the second token
# loses: losses, predicted, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=0, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.array(losses[:-1]) - floor), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% all_rungs_in_bits: losses in bits that are made from a right fit in nats
# loses: losses, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.array(losses[:-1]) - floor), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": [loss / math.log(2) for loss in losses],
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% last_rung_fitted: a fit that has seen the last rung
# loses: predicted, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x, np.log(np.maximum(np.array(losses) - floor, 1e-9)), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% no_floor: a power law down to zero
# loses: predicted, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.maximum(losses[:-1], 1e-12)), 1)
    predicted = float(np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% floor_not_added: what lies above the floor in place of the loss
# loses: predicted, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.array(losses[:-1]) - floor), 1)
    predicted = float(np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% two_rungs: a line through the last two rungs before the last
# loses: predicted, error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[-3:-1], np.log(np.array(losses[-3:-1]) - floor), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% predicted_minus_measured: the error with the other sign
# loses: error, report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.array(losses[:-1]) - floor), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": predicted - losses[-1],
    }


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% report_rounded: a report of two digits
# loses: report
def measure(train, test, vocab, sizes, floor):
    losses = []
    for size in sizes:
        counts = np.ones((vocab, vocab))
        np.add.at(counts, (train[: size - 1], train[1:size]), 1)
        p = counts / counts.sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[test[:-1], test[1:]]).mean()))
    x = np.log(np.array(sizes, dtype=float))
    slope, height = np.polyfit(x[:-1], np.log(np.array(losses[:-1]) - floor), 1)
    predicted = float(floor + np.exp(height + slope * x[-1]))
    return {
        "losses": losses,
        "predicted": predicted,
        "error": losses[-1] - predicted,
    }


report = {"measured": 1.7, "predicted": 1.7, "error": -0.001}
