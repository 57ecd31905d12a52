# question 12.4
# wrong: all runs stop at one step, that of the least mean validation loss
# differs: valid [[1, 2], [2, 0]]: stops at the second step for both
def measure(steps, valid, test):
    best = np.full(len(valid), valid.mean(axis=0).argmin())
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
