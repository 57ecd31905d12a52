"""the least test loss of all runs"""


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
