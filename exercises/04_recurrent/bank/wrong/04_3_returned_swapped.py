"""a returned state with the memory first"""


# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (c, h)
