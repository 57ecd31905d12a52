# question 04.6
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    """With the four gates stacked, and the matrices' gradients at the end."""
    def sigmoid(z):
        return torch.sigmoid(torch.from_numpy(np.ascontiguousarray(z))).numpy()

    names = ["c", "i", "f", "o"]
    wx = np.concatenate([W[n + "x"] for n in names])
    wh = np.concatenate([W[n + "h"] for n in names])
    p, d = up_h.shape
    from_x = x @ wx.T
    hs, cs, gates = np.zeros((p + 1, d)), np.zeros((p + 1, d)), np.zeros((p, 4, d))
    hs[0], cs[0] = h_0, c_0
    for t in range(p):
        gates[t] = sigmoid(from_x[t] + wh @ hs[t]).reshape(4, d)
        g, i, f, o = gates[t]
        cs[t + 1] = i * g + f * cs[t]
        hs[t + 1] = o * sigmoid(cs[t + 1])
    dz = np.zeros((p, 4, d))
    dh, dc = 0.0, up_c
    for t in range(p - 1, -1, -1):
        g, i, f, o = gates[t]
        s = sigmoid(cs[t + 1])
        dh = dh + up_h[t]
        dc = dc + dh * o * s * (1 - s)
        dz[t] = np.stack([dc * i, dc * g, dc * cs[t], dh * s])
        dz[t] *= gates[t] * (1 - gates[t])
        dh = dz[t].reshape(-1) @ wh
        dc = dc * f
    grads = {"x": dz.reshape(p, -1) @ wx, "h_0": dh, "c_0": dc}
    for j, n in enumerate(names):
        grads[n + "h"] = dz[:, j].T @ hs[:-1]
        grads[n + "x"] = dz[:, j].T @ x
    return grads
