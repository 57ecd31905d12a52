# question 12.4
# wrong: the step is looked for by the value of the loss in the whole array, so a run may stop where another one has this loss
# differs: valid [[0.5, 0.3], [0.3, 0.7]] (equal minima of two runs at different places): stops are [1, 1] instead of [2, 1] for steps [1, 2]
def measure(steps, valid, test):
    best = []
    for row in valid:
        places = np.argwhere(valid == row.min())[:, 1]
        best.append(int(places.min()))
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
