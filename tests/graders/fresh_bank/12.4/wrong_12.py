# question 12.4
# wrong: losses are rounded to six decimals first, the number of the report
# differs: steps [1, 2], valid [[0.5 + 1e-8, 0.5]]: stop 1; and losses of 1e-9 come out as 0
def measure(steps, valid, test):
    valid, test = np.round(valid, 6), np.round(test, 6)
    best = valid.argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
