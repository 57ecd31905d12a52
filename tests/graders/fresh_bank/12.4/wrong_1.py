# question 12.4
# wrong: of equal validation losses it takes the last
# differs: steps [1, 2], valid [[0.5, 0.5]]: stop 2 instead of 1
def measure(steps, valid, test):
    best = valid.shape[1] - 1 - valid[:, ::-1].argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
