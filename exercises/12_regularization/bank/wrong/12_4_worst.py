"""runs stopped where validation is worst"""


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
