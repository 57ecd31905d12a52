"""Right answers to question 16.4."""


# %% cell: The cell step by step, without the LSTM's own outputs.
def read_lstm(lstm, x):
    h = x.new_zeros(x.shape[0], lstm.hidden_size)
    c, row, rows, candidates = h, x.new_zeros(x.shape[0], x.shape[1], lstm.hidden_size), [], []
    for t in range(x.shape[1]):
        sums = x[:, t] @ lstm.weight_ih_l0.T + h @ lstm.weight_hh_l0.T + lstm.bias_ih_l0 + lstm.bias_hh_l0
        i, f, g, o = sums.chunk(4, dim=1)
        i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
        c = f * c + i * g
        h = o * torch.tanh(c)
        here = torch.zeros(x.shape[1], 1, dtype=x.dtype)
        here[t] = 1
        row = f[:, None] * row + here * i[:, None]
        rows.append(row)
        candidates.append(g)
    return torch.stack(rows, dim=1), torch.stack(candidates, dim=1)


# %% products: The outputs read again, and a running product over factors that are 1 up to each word.
def read_lstm(lstm, x):
    h = F.pad(lstm(x)[0], (0, 0, 1, 0))[:, :-1]
    sums = F.linear(x, lstm.weight_ih_l0) + F.linear(h, lstm.weight_hh_l0)
    sums = (sums + lstm.bias_ih_l0 + lstm.bias_hh_l0).unflatten(2, (4, -1))
    enter, forget = sums[:, :, 0].sigmoid(), sums[:, :, 1].sigmoid()
    place = torch.arange(x.shape[1])
    later = (place[:, None] > place)[None, :, :, None]
    read = (place[:, None] >= place)[None, :, :, None]
    factors = torch.where(later, forget[:, :, None], torch.ones_like(forget[:, :1, None]))
    w = torch.where(read, factors.cumprod(dim=1) * enter[:, None], 0.0)
    return w, sums[:, :, 2].tanh()


# %% slices: Slices by the width, and one word of the result after the other.
def read_lstm(lstm, x):
    d, time = lstm.hidden_size, x.shape[1]
    h, _ = lstm(x)
    before = torch.roll(h, 1, dims=1) * (torch.arange(time) > 0)[:, None]
    sums = x @ lstm.weight_ih_l0.mT + lstm.bias_ih_l0 + before @ lstm.weight_hh_l0.mT + lstm.bias_hh_l0
    enter, forget = sums[..., :d].sigmoid(), sums[..., d : 2 * d].sigmoid()
    columns = []
    for s in range(time):
        column = [torch.zeros_like(enter[:, 0])] * s + [enter[:, s]]
        for t in range(s + 1, time):
            column.append(column[-1] * forget[:, t])
        columns.append(torch.stack(column, dim=1))
    return torch.stack(columns, dim=2), sums[..., 2 * d : 3 * d].tanh()
