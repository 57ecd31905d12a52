"""runs stopped where the test is best"""


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
