# question 12.4
# wrong: the caller's validation losses are shifted in place
# differs: after the call each row of valid has the least value 0 (the result is right)
def measure(steps, valid, test):
    valid -= valid.min(axis=1, keepdims=True)
    best = valid.argmin(axis=1)
    runs = np.arange(len(valid))
    return {
        "stop": [int(steps[b]) for b in best],
        "test": float(test[runs, best].mean()),
        "last": float(test[:, -1].mean()),
        "cheat": float((test[runs, best] - test.min(axis=1)).mean()),
    }


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
