"""The rest of the sequence is asked for its gradients, and one step is put before it."""


def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def s(z):
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-z))

    c_in, i, f, o = (s(W[g + "h"] @ h_0 + W[g + "x"] @ x[0]) for g in "cifo")
    c = i * c_in + f * c_0
    h = o * s(c)
    if len(x) > 1:
        out = lstm_gradients(x[1:], W, h, c, up_h[1:], up_c)
    else:
        out = {name: 0.0 for name in W} | {"x": np.zeros((0, x.shape[1])), "h_0": 0.0, "c_0": up_c}
    dh = out["h_0"] + up_h[0]
    dc = out["c_0"] + dh * o * s(c) * s(-c)
    dz = {
        "c": dc * i * c_in * (1 - c_in),
        "i": dc * c_in * i * (1 - i),
        "f": dc * c_0 * f * (1 - f),
        "o": dh * s(c) * o * (1 - o),
    }
    for g, delta in dz.items():
        out[g + "h"] = out[g + "h"] + delta[:, None] * h_0
        out[g + "x"] = out[g + "x"] + delta[:, None] * x[0]
    dx = sum(W[g + "x"].T @ dz[g] for g in dz)
    out["x"] = np.concatenate([dx[None], out["x"]])
    out["h_0"] = sum(W[g + "h"].T @ dz[g] for g in dz)
    out["c_0"] = dc * f
    return out
