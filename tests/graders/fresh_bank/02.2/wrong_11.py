# question 02.2
# wrong: it ignores the sums that it is given from the second step on and goes on with those of its own last call
# differs: a call at t = 2 after a call at t = 0 with other sums, or a first call at t = 3 with read and written not 0
_last = {}


def sampling_step(t, token, read, written, V, c, W, b):
    if token is None:
        _last.clear()
    read = _last.get("read", torch.zeros_like(read))
    written = _last.get("written", torch.zeros_like(written))
    if token is not None:
        read = read + V[t - 1, :, token]
    hidden = torch.sigmoid(c[t] + read)
    written = written + W[t] @ hidden
    _last.update(read=read, written=written)
    return (b[t] + written).softmax(dim=0), read, written
