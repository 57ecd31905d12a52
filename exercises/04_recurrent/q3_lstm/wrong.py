"""Named mistakes in question 04.3."""


# %% always_tanh: the usual LSTM for both
# loses: one step, many steps, carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% clipped: what comes from x, clipped before h's part is added
# loses: large
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + (x[:, t] @ W[k + "x"].T).clamp(-99, 99) for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% coupled: a forget gate that is 1 minus the input gate
# loses: many steps, tanh, carry, large, gradients
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
        c = z["i"].sigmoid() * new + (1 - z["i"].sigmoid()) * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% cut_at_eight: gradients cut off after every eighth step
# loses: gradients
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
        if t % 8 == 7:
            h, c = h.detach(), c.detach()
    return torch.cat(outputs, dim=1), (h, c)


# %% detached_return: a returned state without its history
# loses: gradients
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
    return torch.cat(outputs, dim=1), (h.detach(), c.detach())


# %% detached_state: a state whose gradient is cut off
# loses: gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else (state[0].detach(), state[1].detach())
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% detached_steps: gradients cut off between the steps
# loses: gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        h, c = h.detach(), c.detach()
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% empty_zeros: a state of zeros after an empty piece
# loses: carry
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    if time == 0:
        h, c = zeros, zeros
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% gates_swapped: input gate and forget gate exchanged
# loses: one step, many steps, tanh, carry, large, gradients
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
        c = z["f"].sigmoid() * new + z["i"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% given_swapped: a given state read with the memory first
# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state[::-1]
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% h_for_both: the given h taken for the memory too
# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else (state[0], state[0])
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% h_is_c: an output of the step before that counts as the memory
# loses: many steps, tanh, carry, large, gradients
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
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * h
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% h_twice: the last output in both places of the state
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
    return torch.cat(outputs, dim=1), (h, h)


# %% late_output_gate: an output gate that sees the new output
# loses: one step, many steps, tanh, carry, large, gradients
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
        o = h @ W["oh"].T + x[:, t] @ W["ox"].T
        h = o.sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% memory_in_gates: the memory in place of the output in the sums
# loses: many steps, tanh, carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: c @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% memory_not_carried: a memory of zeros before each step
# loses: many steps, tanh, carry, large, gradients
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
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * zeros
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% memory_shown: a memory that is shown without being squashed
# loses: one step, many steps, tanh, carry, large, gradients
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
        h = z["o"].sigmoid() * c
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% naive: sigmoids of exponentials that overflow
# loses: large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    def sigmoid(z):
        return z.exp() / (1 + z.exp())

    squash = torch.tanh if tanh else sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = sigmoid(z["i"]) * new + sigmoid(z["f"]) * c
        h = sigmoid(z["o"]) * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% never_tanh: the note's LSTM for both
# loses: tanh, carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% new_input: a forget gate that acts on the candidate too
# loses: one step, many steps, tanh, carry, large, gradients
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
        c = z["f"].sigmoid() * (z["i"].sigmoid() * new + c)
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% no_h: sums without the output of the step before (the ablated LSTM's gates)
# loses: many steps, tanh, carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% no_output_gate: outputs without the output gate
# loses: one step, many steps, tanh, carry, large, gradients
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
        h = squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% not_transposed: the transposes of the matrices that act on h
# loses: many steps, tanh, carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"] + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% old_memory: an output of the memory before the step
# loses: one step, many steps, tanh, carry, large, gradients
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
        h = z["o"].sigmoid() * squash(c)
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% one_zero: zeros for a batch of one, which an empty piece hands on
# loses: carry
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(1, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% only_c_carried: a given memory with an output of zeros
# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else (zeros, state[1])
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% only_h_carried: a given output with a memory of zeros
# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else (state[0], zeros)
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% own_tanh: a tanh of exponentials that overflow
# loses: large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    def own_tanh(z):
        return (z.exp() - (-z).exp()) / (z.exp() + (-z).exp())

    squash = own_tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% returned_swapped: a returned state with the memory first
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


# %% state_given_back: the given state in place of the last one
# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    first = (h, c)
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), first


# %% state_ignored: a start from zeros, whatever the state
# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros)
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% state_swapped: a state with the memory first
# loses: carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state[::-1]
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (c, h)


# %% tanh_candidate_alone: tanh for the candidate alone
# loses: tanh, carry, large, gradients
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
        h = z["o"].sigmoid() * c.sigmoid()
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% tanh_gates: tanh in the gates as well
# loses: tanh, carry, large, gradients
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
        c = squash(z["i"]) * new + squash(z["f"]) * c
        h = squash(z["o"]) * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% tanh_output_alone: tanh around the memory alone
# loses: tanh, carry, large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T for k in "cifo"}
        new = z["c"].sigmoid()
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% cut_at_thirty: gradients cut off after every thirtieth step
# loses: gradients
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
        if t % 30 == 29:
            h, c = h.detach(), c.detach()
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)


# %% sums_cut: sums cut off at 10 and at -10
# loses: large, gradients
def lstm(x, W, state=None, tanh=False):
    batch, time, _ = x.shape
    d = len(W["ch"])
    zeros = x.new_zeros(batch, d)
    h, c = (zeros, zeros) if state is None else state
    squash = torch.tanh if tanh else torch.sigmoid
    outputs = [x.new_zeros(batch, 0, d)]
    for t in range(time):
        z = {k: (h @ W[k + "h"].T + x[:, t] @ W[k + "x"].T).clamp(-10, 10) for k in "cifo"}
        new = squash(z["c"])
        c = z["i"].sigmoid() * new + z["f"].sigmoid() * c
        h = z["o"].sigmoid() * squash(c)
        outputs.append(h[:, None])
    return torch.cat(outputs, dim=1), (h, c)
