# question 04.6
# wrong: sums are cut off at 20, so that the derivative is 2e-9 where it must vanish, which matrices in the thousands make visible
# differs: W['cx'] = [[3000.0]], x = [[1.0]], p = 1, other matrices small: x's gradient is off by 1e-7 and more
def _logistic(z):
    return 1 / (1 + np.exp(-np.clip(z, -20, 20)))


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
            grads[k + "h"] += np.outer(dz, h_before)
            grads[k + "x"] += np.outer(dz, x[t])
            grads["x"][t] += W[k + "x"].T @ dz
            dh = dh + W[k + "h"].T @ dz
        dc = dc * a["f"]
    grads["h_0"], grads["c_0"] = dh, dc
    return grads
