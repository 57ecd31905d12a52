"""All four gates in one matrix, and all outer products at the end."""


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
