"""NumPy's take_along_axis."""


def measure(steps, valid, test):
    best = np.argmin(valid, axis=1)[:, None]
    stopped = float(np.take_along_axis(test, best, axis=1).mean())
    return dict(
        stop=np.asarray(steps)[best[:, 0]].tolist(),
        test=stopped,
        last=float(test.T[-1].mean()),
        cheat=stopped - float(test.min(axis=1).mean()),
    )


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.080691, "last": 2.810222, "cheat": 0.1312665}
