# question 04.4
def lstm_layer(x, state, W_x, W_h, b):
    d = W_h.shape[1]
    U_i, U_f, U_g, U_o = W_h[:d], W_h[d : 2 * d], W_h[2 * d : 3 * d], W_h[3 * d :]
    from_x = F.linear(x, W_x, b)
    x_i, x_f, x_g, x_o = from_x.split(d, dim=-1)
    h, c = state
    hs = []
    for t in range(x.shape[1]):
        i = torch.sigmoid(x_i[:, t] + h @ U_i.T)
        f = torch.sigmoid(x_f[:, t] + h @ U_f.T)
        g = torch.tanh(x_g[:, t] + h @ U_g.T)
        o = torch.sigmoid(x_o[:, t] + h @ U_o.T)
        c = f * c + i * g
        h = o * torch.tanh(c)
        hs.append(h[:, None])
    return torch.cat(hs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    batch, time, d = x.shape[0], x.shape[1], W_h.shape[1]
    h = torch.zeros(batch, d, dtype=x.dtype)
    c = torch.zeros(batch, d, dtype=x.dtype)
    rows = []
    for start in range(0, time, size):
        out, (h, c) = lstm_layer(x[:, start : start + size], (h.detach(), c.detach()), W_x, W_h, b)
        rows.append(out)
    return torch.cat(rows, dim=1)
