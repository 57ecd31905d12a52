# question 12.4
# wrong: validation losses go through float32, where nearly equal ones are equal
# differs: steps [1, 2], valid [[0.5 + 1e-10, 0.5]]: stop 1 instead of 2
def measure(steps, valid, test):
    best = torch.tensor(valid.tolist()).argmin(dim=1).numpy()
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
