"""The same walk with torch and no autograd."""


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
