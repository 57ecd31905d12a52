# question 04.6
# wrong: the recurrent matrices get the outer product with the step's own output h_t instead of the one before
# differs: p = 1, h_0 = 0: their gradients are 0 and come out otherwise
def _logistic(z):
    return np.exp(-np.logaddexp(0.0, -z))


def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    p, d = up_h.shape
    h, c = h_0, c_0
    steps = []
    for t in range(p):
        z = {k: W[k + "h"] @ h + W[k + "x"] @ x[t] for k in "cifo"}
        a = {k: _logistic(z[k]) for k in "cifo"}
        c_new = a["i"] * a["c"] + a["f"] * c
        s = _logistic(c_new)
        steps.append((h, c, a, s))
        h, c = a["o"] * s, c_new
    grads = {k: np.zeros_like(W[k]) for k in W}
    grads["x"] = np.zeros_like(x)
    dh, dc = np.zeros(d), up_c.copy()
    for t in reversed(range(p)):
        h_before, c_before, a, s = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * a["o"] * s * (1 - s)
        da = {"c": dc * a["i"], "i": dc * a["c"], "f": dc * c_before, "o": dh * s}
        dh = np.zeros(d)
        for k in "cifo":
            dz = da[k] * a[k] * (1 - a[k])
            grads[k + "h"] += np.outer(dz, a["o"] * s)
            grads[k + "x"] += np.outer(dz, x[t])
            grads["x"][t] += W[k + "x"].T @ dz
            dh = dh + W[k + "h"].T @ dz
        dc = dc * a["f"]
    grads["h_0"], grads["c_0"] = dh, dc
    return grads
