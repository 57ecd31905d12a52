# question 12.4
# wrong: the cheat is a median over runs
# differs: three runs with gains of 0, 0 and 3: 0 instead of 1; right for one or two runs
def measure(steps, valid, test):
    best = valid.argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float(np.median(test[runs, best] - test.min(axis=1))),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
