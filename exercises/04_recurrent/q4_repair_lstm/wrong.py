"""Named mistakes in question 04.4."""


# %% candidate_last: gates in the order input, forget, output, candidate
# loses: gates, axes, carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, show, candidate = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% carry: pieces that all begin with a state of zeros
# loses: carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = zeros, zeros
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% cut_after: gradients cut off after each step of the layer
# loses: gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
        h, c = h.detach(), c.detach()
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% cut_outputs: a gradient for the outputs of the last piece alone
# loses: truncation, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    earlier = [part.detach() for part in outputs[:-1]]
    return torch.cat([*earlier, output], dim=1)


# %% cut_within: gradients cut off at each step of the layer, as between pieces
# loses: gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        h, c = h.detach(), c.detach()
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% equal_pieces: pieces made equally long
# loses: gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.chunk(-(-x.shape[1] // size), dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% flow: pieces that pass the gradient of the state on
# loses: truncation, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h, c), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% forget_bias: a forget gate with a bias of 1 of its own
# loses: gates, axes, carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = (forget + 1).sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% forget_first: gates in the order forget, input, candidate, output
# loses: gates, axes, carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        forget, enter, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% layer_cuts: a layer whose returned state has no gradient
# loses: gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h.detach(), c.detach())


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h, c), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% layer_cuts_given: a layer that cuts the gradient of the state that it is given
# loses: gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = (part.detach() for part in state)
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% logistic: the note's LSTM, with a sigmoid in place of each tanh
# loses: gates, axes, carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.sigmoid()
        h = show.sigmoid() * c.sigmoid()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% memory_shown: outputs without the tanh around the memory
# loses: gates, axes, carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% number_of_pieces: `size` pieces in place of pieces of that size
# loses: truncation, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.chunk(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% only_c_cut: an output whose gradient flows from piece to piece
# loses: truncation, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h, c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% only_c_passed: pieces that pass the memory on and forget the output
# loses: carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (zeros, c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% only_h_cut: a memory whose gradient flows from piece to piece
# loses: truncation, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% only_h_passed: pieces that pass the output on and forget the memory
# loses: carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), zeros), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% order: gates in the order of the broken cell
# loses: gates, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, candidate, forget, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% order_and_carry: a cell mended in its axes alone, whose pieces pass no state on
# loses: gates, carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, candidate, forget, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = zeros, zeros
        output, state = lstm_layer(piece, (h, c), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% order_and_flow: gates in the order of the broken cell, and gradients that flow from piece to piece
# loses: gates, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, candidate, forget, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h, c), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% reshaped: outputs whose axes of time and batch were exchanged by a reshape
# loses: axes, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs).reshape(len(x), x.shape[1], -1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% reversed_state: a state with the memory first
# loses: gates, axes, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    c, h = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (c, h)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        c, h = state
        output, state = lstm_layer(piece, (c.detach(), h.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% sigmoid_shown: a sigmoid around the memory in place of the tanh
# loses: gates, axes, carry, truncation, together, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.sigmoid()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% cut_at_thirty: gradients cut off after thirty steps within a piece
# loses: gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for t, x_t in enumerate(x.unbind(dim=1)):
        h, c = (h.detach(), c.detach()) if t % 30 == 29 else (h, c)
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(size, dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% four_at_most: pieces of at most four tokens
# loses: gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(min(size, 4), dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


# %% two_at_least: pieces of at least two tokens
# loses: truncation, gradients
def lstm_layer(x, state, W_x, W_h, b):
    h, c = state
    outputs = []
    for x_t in x.unbind(dim=1):
        z = x_t @ W_x.T + h @ W_h.T + b
        enter, forget, candidate, show = z.chunk(4, dim=1)
        c = forget.sigmoid() * c + enter.sigmoid() * candidate.tanh()
        h = show.sigmoid() * c.tanh()
        outputs.append(h)
    return torch.stack(outputs, dim=1), (h, c)


def read_in_pieces(x, size, W_x, W_h, b):
    zeros = x.new_zeros(len(x), W_h.shape[1])
    state = (zeros, zeros)
    outputs = []
    for piece in x.split(max(size, 2), dim=1):
        h, c = state
        output, state = lstm_layer(piece, (h.detach(), c.detach()), W_x, W_h, b)
        outputs.append(output)
    return torch.cat(outputs, dim=1)
