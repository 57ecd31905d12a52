# question 12.4
# wrong: "last" is the test at the latest of the stops, not at the last step
# differs: valid [[0, 1, 2]], test [[1, 2, 3]]: last 1 instead of 3
def measure(steps, valid, test):
    best = valid.argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, best.max()].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
