# question 12.4
# wrong: the first point is never a stop
# differs: steps [1, 2], valid [[0.1, 0.5]]: stop 2 instead of 1; a single point fails
def measure(steps, valid, test):
    best = 1 + valid[:, 1:].argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
