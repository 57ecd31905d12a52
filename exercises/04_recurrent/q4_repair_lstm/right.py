"""Right answers to question 04.4."""


# %% cut_within: One loop over all steps, which cuts the gradient where a piece ends.
def step(x_t, h, c, W_x, W_h, b):
    enter, forget, candidate, show = (
        x_t @ rows.mT + h @ own.mT + shift for rows, own, shift in zip(W_x.chunk(4), W_h.chunk(4), b.chunk(4))
    )
    c = torch.sigmoid(forget) * c + torch.sigmoid(enter) * torch.tanh(candidate)
    return torch.sigmoid(show) * torch.tanh(c), c


def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for t in range(x.shape[1]):
        h, c = step(x[:, t], h, c, W_x, W_h, b)
        outputs.append(h[:, None])
    return torch.cat(outputs, 1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    h = c = torch.zeros(len(x), W_h.shape[1])
    outputs = []
    for t in range(x.shape[1]):
        if t % size == 0:
            h, c = h.detach(), c.detach()
        h, c = step(x[:, t], h, c, W_x, W_h, b)
        outputs.append(h[:, None])
    return torch.cat(outputs, 1)


# %% time_first: Time in front within the layer, pieces by their first places.
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
