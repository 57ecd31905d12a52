"""One sequence after the other, with column vectors as in the note."""


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
