# question 04.6
def _logistic(z):
    return np.exp(-np.logaddexp(0.0, -z))


def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    p, d = up_h.shape
    h, c, kept = h_0, c_0, []
    for t in range(p):
        gate, slope = {}, {}
        for k in "cifo":
            z = W[k + "h"] @ h + W[k + "x"] @ x[t]
            gate[k] = _logistic(z)
            slope[k] = gate[k] * _logistic(-z)
        after = gate["i"] * gate["c"] + gate["f"] * c
        kept.append((h, c, gate, slope, after))
        h, c = gate["o"] * _logistic(after), after

    grads = {k: np.zeros_like(W[k]) for k in W}
    grads["x"] = np.zeros_like(x)
    dh, dc = np.zeros(d), np.array(up_c)
    for t in reversed(range(p)):
        before, memory, gate, slope, after = kept[t]
        s = _logistic(after)
        dh = dh + up_h[t]
        dc = dc + dh * gate["o"] * s * _logistic(-after)
        dz = {
            "c": dc * gate["i"] * slope["c"],
            "i": dc * gate["c"] * slope["i"],
            "f": dc * memory * slope["f"],
            "o": dh * s * slope["o"],
        }
        for k in "cifo":
            grads[k + "h"] += np.outer(dz[k], before)
            grads[k + "x"] += np.outer(dz[k], x[t])
        grads["x"][t] = sum(W[k + "x"].T @ dz[k] for k in "cifo")
        dh = sum(W[k + "h"].T @ dz[k] for k in "cifo")
        dc = dc * gate["f"]
    grads["h_0"], grads["c_0"] = dh, dc
    return grads
