# question 12.4
# wrong: the test loss at the stop is the validation loss at the stop
# differs: valid [[1, 0.5]], test [[2, 1.5]]: test 0.5 instead of 1.5
def measure(steps, valid, test):
    best = valid.argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(valid.min(axis=1).mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
