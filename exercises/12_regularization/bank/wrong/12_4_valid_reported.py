"""the validation loss reported for the test"""


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
