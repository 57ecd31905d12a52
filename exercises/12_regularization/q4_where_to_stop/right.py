"""Right answers to question 12.4."""


# %% loops: Run by run.
def measure(steps, valid, test):
    stop, stopped, cheat = [], 0.0, 0.0
    for v, t in zip(valid, test):
        best = 0
        for n in range(len(v)):
            if v[n] < v[best]:
                best = n
        stop.append(int(steps[best]))
        stopped += t[best] / len(test)
        cheat += (t[best] - t.min()) / len(test)
    return {"stop": stop, "test": stopped, "last": np.mean(test, axis=0)[-1], "cheat": cheat}


report = {"stop": [200, 200, 200, 400, 200, 200], "test": 2.0806915, "last": 2.8102223, "cheat": 0.13126648}


# %% take_along: NumPy's take_along_axis.
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
