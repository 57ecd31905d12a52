"""Time in front within the layer, pieces by their first places."""


def lstm_layer(x, state, W_x, W_h, b):
    d = W_h.shape[1]
    hidden, memory = state
    steps = []
    for inputs in x.transpose(0, 1):
        sums = F.linear(inputs, W_x) + F.linear(hidden, W_h, b)
        gates = torch.sigmoid(sums)
        new = torch.tanh(sums[:, 2 * d : 3 * d])
        memory = gates[:, d : 2 * d] * memory + gates[:, :d] * new
        hidden = gates[:, 3 * d :] * torch.tanh(memory)
        steps.append(hidden)
    return torch.stack(steps).transpose(0, 1), (hidden, memory)


def read_in_pieces(x, size, W_x, W_h, b):
    hidden = memory = torch.zeros(x.shape[0], W_h.shape[1])
    pieces = []
    for first in range(0, x.shape[1], size):
        piece, (hidden, memory) = lstm_layer(x[:, first : first + size], (hidden, memory), W_x, W_h, b)
        hidden, memory = hidden.detach(), memory.detach()
        pieces.append(piece)
    return torch.cat(pieces, 1)
