"""Named mistakes in question 03.6."""


# %% dilation_cycle: dilations that begin again after ten layers
# loses: pieces
def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    k = filters.shape[1]
    if queues is None:
        queues = [x.new_zeros(batch, (k - 1) * 2 ** (layer % 10), d) for layer in range(len(filters))]
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        dilation = 2 ** (layer % 10)
        reach = (k - 1) * dilation
        known = torch.cat([queues[layer], line], dim=1)
        content = causal_conv(known, filters[layer], dilation)[:, known.shape[1] - time :]
        gate = causal_conv(known, gates[layer], dilation)[:, known.shape[1] - time :]
        after.append(known[:, known.shape[1] - reach :])
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total, after


# %% dilations_added: dilations 1, 2, 3, ... in queues of the right length
# loses: pieces, one place, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], layer + 1)
        gate = causal_conv(known, gates[layer], layer + 1)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% empty_forgets: queues of zeros after a piece of no place
# loses: pieces
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues and x.shape[1] else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% exponential: a sigmoid written as exp(a) / (1 + exp(a)), which is NaN for large a
# loses: pieces, beginning
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * (gate.exp() / (1 + gate.exp())))[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% first_of_batch: queues of the first of the batch for all
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = queues[layer][:1].expand(len(x), -1, -1) if queues else F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([past, line], dim=1)
        after.append(known[:1, line.shape[1] :].expand(len(x), -1, -1))
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% first_queue: the first layer's queue, cut or filled up, for all layers
# loses: one place, pieces, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([F.pad(queues[0], (0, 0, reach - queues[0].shape[1], 0)) if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% forgets: queues that keep nothing from before a piece
# loses: one place, pieces, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(F.pad(line, (0, 0, reach, 0))[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% gate: the content in its own gate
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * content.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% ignored: zeros in place of the queues
# loses: one place, pieces, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% in_place: queues written over with the new ones
# loses: one place, pieces, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    for old, new in zip(queues or [], after):
        old.copy_(new.clone())
    return total, queues or after


# %% last_layer: the last layer alone as the output
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = s, line + s
    return total, after


# %% line: the last line in place of the sum of all s
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return line, after


# %% minus_zero: a slice [-0:], which is everything, for kernels of size 1
# loses: pieces, beginning
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, -reach:])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% newest_first: queues with the newest input first
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer].flip(1) if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :].flip(1))
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% no_residual: layers that read s of the one below, without its line
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, s
    return total, after


# %% of_outputs: queues of the layers' outputs in place of their inputs
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
        after.append(torch.cat([known[:, :reach], line], dim=1)[:, line.shape[1] :])
    return total, after


# %% of_s: queues of s, without the line that it is added to
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
        after.append(torch.cat([known[:, :reach], s], dim=1)[:, line.shape[1] :])
    return total, after


# %% of_x: queues of x for all layers
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(torch.cat([known[:, :reach], x], dim=1)[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% oldest: queues that keep the oldest inputs
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, :reach])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after


# %% remembered: a list outside the function in place of the queues
# loses: one place, pieces, two ways on
KEPT = {}


def read(x, filters, gates, mixes, queues=None):
    line, total = x, torch.zeros_like(x)
    if queues is None:
        KEPT.clear()
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        kept = KEPT.get(layer, past)
        known = torch.cat([kept if kept.shape == past.shape else past, line], dim=1)
        KEPT[layer] = known[:, line.shape[1] :]
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, [KEPT[layer] for layer in range(len(filters))]


# %% right_step: outputs moved one place to the right, as in wavenet
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return F.pad(total, (0, 0, 1, 0))[:, : total.shape[1]], after


# %% rooms: queues in places that the next call of the same size writes over
# loses: two ways on
rooms = {}


def read(x, filters, gates, mixes, queues=None):
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        room = rooms.setdefault((layer, known.shape), torch.empty_like(known))
        after.append(room.copy_(known)[:, line.shape[1] :])
        if x.shape[1]:
            content = causal_conv(known, filters[layer], 2**layer)
            gate = causal_conv(known, gates[layer], 2**layer)
            s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
            total, line = total + s, line + s
    return total, after


# %% step_of_inputs: inputs moved one place to the right, as in wavenet
# loses: one place, pieces, beginning, two ways on
def read(x, filters, gates, mixes, queues=None):
    line, total, after = F.pad(x, (0, 0, 1, 0))[:, : x.shape[1]], torch.zeros_like(x), []
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        known = torch.cat([queues[layer] if queues else past, line], dim=1)
        after.append(known[:, line.shape[1] :])
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, after
