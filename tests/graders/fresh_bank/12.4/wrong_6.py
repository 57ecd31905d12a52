# question 12.4
# wrong: cheat is the test at the best test step minus that at the stop, a negative number
# differs: steps [1, 2], valid [[0, 1]], test [[2, 1]]: -1 instead of 1
def measure(steps, valid, test):
    best = valid.argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float(test.min(axis=1).mean() - test[runs, best].mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
