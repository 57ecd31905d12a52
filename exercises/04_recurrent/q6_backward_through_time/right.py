"""Right answers to question 04.6."""


# %% in_torch: The same walk with torch and no autograd.
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    W = {name: torch.from_numpy(matrix) for name, matrix in W.items()}
    x, h, c, up_h, dc = (torch.from_numpy(array) for array in (x, h_0, c_0, up_h, up_c))
    kept = []
    for vector in x:
        gates = [torch.sigmoid(W[g + "h"].mv(h) + W[g + "x"].mv(vector)) for g in "cifo"]
        before = (h, c)
        c = torch.addcmul(gates[2] * c, gates[0], gates[1])
        h = gates[3] * c.sigmoid()
        kept.append((vector, before, gates, c))
    total = {name: torch.zeros_like(matrix) for name, matrix in W.items()}
    dh, dxs = torch.zeros_like(h), []
    for (vector, before, gates, c), up in zip(reversed(kept), up_h.flip(0)):
        dh = dh + up
        shown = c.sigmoid()
        dc = dc + dh * gates[3] * (shown - shown**2)
        into = (dc * gates[1], dc * gates[0], dc * before[1], dh * shown)
        deltas = [part * (gate - gate**2) for part, gate in zip(into, gates)]
        for g, delta in zip("cifo", deltas):
            total[g + "h"] += torch.outer(delta, before[0])
            total[g + "x"] += torch.outer(delta, vector)
        dxs.insert(0, sum(W[g + "x"].T.mv(delta) for g, delta in zip("cifo", deltas)))
        dh = sum(W[g + "h"].T.mv(delta) for g, delta in zip("cifo", deltas))
        dc = dc * gates[2]
    result = {name: matrix.numpy() for name, matrix in total.items()}
    return result | {"x": torch.stack(dxs).numpy(), "h_0": dh.numpy(), "c_0": dc.numpy()}


# %% recursion: The rest of the sequence is asked for its gradients, and one step is put before it.
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


# %% stacked: All four gates in one matrix, and all outer products at the end.
def sigma(z):
    small = np.exp(-np.abs(z))
    return np.where(z > 0, 1.0, small) / (1 + small)


def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    p, d = up_h.shape
    U = np.concatenate([W["ch"], W["ih"], W["fh"], W["oh"]])
    V = np.concatenate([W["cx"], W["ix"], W["fx"], W["ox"]])
    H, C = np.zeros((p + 1, d)), np.zeros((p + 1, d))
    H[0], C[0] = h_0, c_0
    S = np.zeros((p, 4 * d))
    for t in range(p):
        S[t] = sigma(U @ H[t] + V @ x[t])
        new, enter, forget, show = S[t].reshape(4, d)
        C[t + 1] = enter * new + forget * C[t]
        H[t + 1] = show * sigma(C[t + 1])
    delta = np.zeros((p, 4 * d))
    back_h, back_c = np.zeros(d), np.array(up_c)
    for t in range(p - 1, -1, -1):
        new, enter, forget, show = S[t].reshape(4, d)
        top = up_h[t] + back_h
        seen = sigma(C[t + 1])
        back_c = back_c + top * show * seen * (1 - seen)
        parts = np.stack([back_c * enter, back_c * new, back_c * C[t], top * seen]).reshape(-1)
        delta[t] = parts * S[t] * (1 - S[t])
        back_h, back_c = delta[t] @ U, back_c * forget
    dU, dV = delta.T @ H[:-1], delta.T @ x
    answer = {"x": delta @ V, "h_0": back_h, "c_0": back_c}
    for n, gate in enumerate("cifo"):
        answer[gate + "h"] = dU[n * d : (n + 1) * d]
        answer[gate + "x"] = dV[n * d : (n + 1) * d]
    return answer
