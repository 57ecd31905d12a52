"""the number of the point instead of its step"""


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
