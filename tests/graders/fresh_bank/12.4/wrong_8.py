# question 12.4
# wrong: it stops before the first rise of the validation loss, at a local minimum
# differs: valid [[3, 2, 2.5, 1]]: the second step instead of the fourth
def measure(steps, valid, test):
    best = []
    for row in valid:
        place = 0
        while place + 1 < len(row) and row[place + 1] < row[place]:
            place += 1
        best.append(place)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
