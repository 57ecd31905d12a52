"""the least point of the mean test curve"""


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
