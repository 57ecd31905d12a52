"""one stop for all runs"""


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
