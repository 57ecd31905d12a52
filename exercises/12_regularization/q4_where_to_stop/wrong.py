"""Named mistakes in question 12.4."""


# %% by_test: runs stopped where the test is best
# loses: stop, ties, test, cheat, report
def measure(steps, valid, test):
    best = test.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [400, 200, 100, 200, 400, 200], "test": 1.94942502, "last": 2.81022235, "cheat": 0}


# %% cheat_from_last: what stopping wins over the last step
# loses: cheat, report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (test[:, -1] - stopped).mean(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806915, "last": 2.81022235, "cheat": 0.72953085}


# %% cheat_negative: the gain with the other sign
# loses: cheat, report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (test.min(1) - stopped).mean(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806915, "last": 2.81022235, "cheat": -0.131266483}


# %% cheat_of_mean: the least point of the mean test curve
# loses: cheat, report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": stopped.mean() - test.mean(0).min(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806915, "last": 2.81022235, "cheat": 0.0777544625}


# %% cheat_over_all: the least test loss of all runs
# loses: cheat, report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": stopped.mean() - test.min(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806915, "last": 2.81022235, "cheat": 0.466748997}


# %% last_of_valid: the last validation loss
# loses: test, report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": valid[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806915, "last": 2.60406402, "cheat": 0.131266483}


# %% latest: the latest of equal losses
# loses: ties, report
def measure(steps, valid, test):
    best = valid.shape[1] - 1 - valid[:, ::-1].argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806915, "last": 2.81022235, "cheat": 0.131266483}


# %% numbers_of_points: the number of the point instead of its step
# loses: stop, ties, report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": best.tolist(),
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [2, 2, 2, 3, 2, 2], "test": 2.0806915, "last": 2.81022235, "cheat": 0.131266483}


# %% one_stop: one stop for all runs
# loses: stop, ties, test, cheat, report
def measure(steps, valid, test):
    best = np.full(len(valid), valid.mean(0).argmin())
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [200, 200, 200, 200, 200, 200], "test": 2.00293704, "last": 2.81022235, "cheat": 0.0535120202}


# %% two_digits: a report with two digits
# loses: report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.08, "last": 2.81, "cheat": 0.13}


# %% valid_reported: the validation loss reported for the test
# loses: test, cheat, report
def measure(steps, valid, test):
    best = valid.argmin(1)
    stopped = valid[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 1.89921706, "last": 2.81022235, "cheat": -0.0502079544}


# %% worst: runs stopped where validation is worst
# loses: stop, ties, test, cheat, report
def measure(steps, valid, test):
    best = valid.argmax(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [800, 800, 50, 50, 50, 50], "test": 2.73129636, "last": 2.81022235, "cheat": 0.781871348}


# %% single: validation losses that are rounded to float32
# loses: ties, report
def measure(steps, valid, test):
    best = valid.astype(np.float32).argmin(1)
    stopped = test[np.arange(len(test)), best]
    return {
        "stop": [int(steps[n]) for n in best],
        "test": stopped.mean(),
        "last": test[:, -1].mean(),
        "cheat": (stopped - test.min(1)).mean(),
    }


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806914978, "last": 2.8102223475, "cheat": 0.1312664827}
