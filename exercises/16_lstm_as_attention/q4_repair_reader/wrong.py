"""Named mistakes in question 16.4."""


# %% only_order: the order of the gates alone mended
# loses: own gate, before, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(h, lstm.weight_hh_l0, lstm.bias_hh_l0)
    enter, forget, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        row = forget[:, t : t + 1] * row
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% only_before: the shift of h alone mended
# loses: order, own gate, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    before = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0, lstm.bias_hh_l0)
    forget, enter, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        row = forget[:, t : t + 1] * row
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% only_own_gate: the forget gate of the own step alone mended
# loses: order, before, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(h, lstm.weight_hh_l0, lstm.bias_hh_l0)
    forget, enter, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% order: input and forget gates exchanged, the rest mended
# loses: order, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    before = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0, lstm.bias_hh_l0)
    forget, enter, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% own_gate: weights with the forget gate of their own step, the rest mended
# loses: own gate, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    before = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0, lstm.bias_hh_l0)
    enter, forget, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        row = forget[:, t : t + 1] * row
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% before: gates that see the output of their own step, the rest mended
# loses: before, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(h, lstm.weight_hh_l0, lstm.bias_hh_l0)
    enter, forget, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% candidate_last: the output gate taken for the candidate
# loses: before, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    before = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0, lstm.bias_hh_l0)
    enter, forget, _, candidate = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% one_bias: sums with one of the two biases
# loses: order, own gate, before, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    before = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0)
    enter, forget, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% no_tanh: candidates without their tanh
# loses: before, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    before = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0, lstm.bias_hh_l0)
    enter, forget, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate


# %% detached: gates that see the outputs detached
# loses: gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    h = h.detach()
    before = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0, lstm.bias_hh_l0)
    enter, forget, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()


# %% after: a shift of h in the other direction
# loses: before, all, gradients
def read_lstm(lstm, x):
    h, _ = lstm(x)
    before = torch.cat([h[:, 1:], torch.zeros_like(h[:, :1])], dim=1)
    sums = F.linear(x, lstm.weight_ih_l0, lstm.bias_ih_l0)
    sums = sums + F.linear(before, lstm.weight_hh_l0, lstm.bias_hh_l0)
    enter, forget, candidate, _ = sums.chunk(4, dim=-1)
    enter, forget = enter.sigmoid(), forget.sigmoid()
    row, rows = torch.zeros_like(h), []
    for t in range(h.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], 1)
        rows.append(row)
    return torch.stack(rows, dim=1), candidate.tanh()
