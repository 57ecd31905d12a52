"""Right answers to question 04.3."""


# %% columns: One sequence after the other, with column vectors as in the note.
def lstm(x, W, state=None, tanh=False):
    d = W["ch"].shape[0]

    def squash(z):
        return z.tanh() if tanh else z.sigmoid()

    every, last_h, last_c = [], [], []
    for b, sequence in enumerate(x):
        h = sequence.new_zeros(d) if state is None else state[0][b]
        c = sequence.new_zeros(d) if state is None else state[1][b]
        rows = []
        for vector in sequence:
            candidate = squash(W["ch"] @ h + W["cx"] @ vector)
            enter = torch.sigmoid(W["ih"] @ h + W["ix"] @ vector)
            forget = torch.sigmoid(W["fh"] @ h + W["fx"] @ vector)
            show = torch.sigmoid(W["oh"] @ h + W["ox"] @ vector)
            c = enter * candidate + forget * c
            h = show * squash(c)
            rows.append(h)
        every.append(torch.stack(rows) if rows else sequence.new_zeros(0, d))
        last_h.append(h)
        last_c.append(c)
    return torch.stack(every), (torch.stack(last_h), torch.stack(last_c))


# %% one_matrix: All four sums by one product, the inputs' part before the loop.
def lstm(x, W, state=None, tanh=False):
    order = ("c", "i", "f", "o")
    from_h = torch.cat([W[gate + "h"] for gate in order])
    from_x = torch.cat([W[gate + "x"] for gate in order])
    d = from_h.shape[1]
    written = F.linear(x, from_x)
    h = c = x.new_zeros(len(x), d)
    if state is not None:
        h, c = state
    squash = F.tanh if tanh else F.sigmoid
    outputs = x.new_empty(len(x), 0, d)
    for step in written.unbind(1):
        sums = step + F.linear(h, from_h)
        new, gates = squash(sums[:, :d]), F.sigmoid(sums[:, d:])
        c = gates[:, :d] * new + gates[:, d : 2 * d] * c
        h = gates[:, 2 * d :] * squash(c)
        outputs = torch.cat([outputs, h.unsqueeze(1)], dim=1)
    return outputs, (h, c)


# %% recursion: The first steps, then the last one, in float64.
def one_step(x, W, h, c, squash):
    candidate, enter, forget, show = (
        torch.einsum("ij,bj->bi", W[g + "h"].double(), h.double())
        + torch.einsum("ij,bj->bi", W[g + "x"].double(), x.double())
        for g in ("c", "i", "f", "o")
    )
    c = torch.addcmul(forget.sigmoid() * c, enter.sigmoid(), squash(candidate))
    return show.sigmoid() * squash(c), c


def lstm(x, W, state=None, tanh=False):
    d = W["oh"].shape[0]
    if state is None:
        state = (torch.zeros(len(x), d), torch.zeros(len(x), d))
    if x.shape[1] == 0:
        return torch.zeros(len(x), 0, d), state
    half = x.shape[1] // 2
    if half:
        first, state = lstm(x[:, :half], W, state, tanh)
        second, state = lstm(x[:, half:], W, state, tanh)
        return torch.cat([first, second], 1), state
    h, c = one_step(x[:, 0], W, *state, torch.tanh if tanh else torch.sigmoid)
    return h[:, None], (h, c)
