# question 12.4
# wrong: the cheat looks for one step for all runs, the least of the mean test losses, cut off at 0
# differs: valid [[0, 1], [0, 1]], test [[2, 1], [1, 2]]: 0 instead of 0.5; right for one run
def measure(steps, valid, test):
    best = valid.argmin(axis=1)
    runs = np.arange(len(valid))
    at_stop = float(test[runs, best].mean())
    return {
        "stop": [int(steps[b]) for b in best],
        "test": at_stop,
        "last": float(test[:, -1].mean()),
        "cheat": max(0.0, at_stop - float(test.mean(axis=0).min())),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
