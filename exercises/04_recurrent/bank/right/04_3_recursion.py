"""The first steps, then the last one, in float64."""


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
