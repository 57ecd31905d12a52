# question 04.4
# wrong: the state that is returned is (c, h) and unpacked so again, so a caller who hands on (h, c) gets them swapped
# differs: lstm_layer on one step: the second result
def lstm_layer(x, state, W_x, W_h, b):
    """One LSTM layer, as in PyTorch."""
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (c, h)


def read_in_pieces(x, size, W_x, W_h, b):
    """The outputs for a long text, with truncated gradients."""
    outputs = []
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    for piece in x.split(size, dim=1):
        output, (c, h) = lstm_layer(piece, state, W_x, W_h, b)
        state = (h.detach(), c.detach())
        outputs.append(output)
    return torch.cat(outputs, dim=1)
