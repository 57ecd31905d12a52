"""a gradient of the memory that goes back as it is, without the forget gate"""


# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc + 0
    return gradients | {"h_0": dh, "c_0": dc}
