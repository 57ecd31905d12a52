"""the last validation loss"""


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
