# question 04.6
# wrong: finite differences, which are right to about seven digits and not to nine
# differs: any input with p = 3, d = 2: relative errors of 1e-8 and more; large sums lose more
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    given = {"x": x, "h_0": h_0, "c_0": c_0, **W}

    def loss(a):
        t = {k: torch.from_numpy(v) for k, v in a.items()}
        state = (t["h_0"][None], t["c_0"][None])
        out, (_, c) = lstm(t["x"][None], t, state)
        return float((out[0].numpy() * up_h).sum() + (c[0].numpy() * up_c).sum())

    grads = {}
    for name, value in given.items():
        grads[name] = np.zeros_like(value)
        for place in np.ndindex(value.shape):
            up = value.copy()
            up[place] += 1e-7
            rise = loss({**given, name: up}) - loss(given)
            grads[name][place] = rise / 1e-7
    return grads
