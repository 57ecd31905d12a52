"""Named mistakes in question 03.3."""


# %% added: tanh and sigmoid added in place of multiplied
# loses: gate, sum, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() + gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% detached: a result from which no gradient comes back
# loses: gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total.detach() + 0 * (x.sum() + filters.sum() + gates.sum() + mixes.sum())


# %% dilation_capped: dilations that stop doubling at 64
# loses: together
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], min(2**layer, 64))
        gate = causal_conv(line, gates[layer], min(2**layer, 64))
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% dilation_cycle: dilations that begin again after ten layers
# loses: together
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        dilation = 2 ** (layer % 10)
        content = causal_conv(line, filters[layer], dilation)
        gate = causal_conv(line, gates[layer], dilation)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% dilation_left: dilations 1, 2, 3, ..., the other three mended
# loses: reach, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], layer + 1)
        gate = causal_conv(line, gates[layer], layer + 1)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% double: dilations 2, 4, 8, ...
# loses: reach, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2 ** (layer + 1))
        gate = causal_conv(line, gates[layer], 2 ** (layer + 1))
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% each_layer: a step to the right in every layer
# loses: reach, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    line = x
    for layer in range(len(filters)):
        line = F.pad(line, (0, 0, 1, 0))[:, :-1]
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% exchanged: tanh of the gate and the sigmoid of the content
# loses: gate, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.sigmoid() * gate.tanh()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% exponential: a sigmoid written as exp(a) / (1 + exp(a)), which is NaN for large a
# loses: together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * (gate.exp() / (1 + gate.exp()))) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% gate_dilation: dilations mended in the filter and not in the gate
# loses: together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], layer + 1)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% gate_left: a sigmoid of the content in place of the gate, the other three mended
# loses: gate, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * content.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% leak_left: a network that still reads x_t for row t, the other three mended
# loses: leak, together, gradients
def wavenet(x, filters, gates, mixes):
    line = x
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% line: the line as the result, the input included
# loses: sum, gate, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return line


# %% mean: the mean over the layers in place of the sum
# loses: sum, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total / len(filters)


# %% no_residual: a line that carries s alone, without u
# loses: sum, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = s
    return total


# %% only_dilation: the dilations mended, the other three mistakes left
# loses: leak, gate, sum, together, gradients
def wavenet(x, filters, gates, mixes):
    line = x
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * content.sigmoid()) @ mixes[layer].T
        total = s
        line = line + s
    return total


# %% only_gate: the gate mended, the other three mistakes left
# loses: leak, sum, reach, together, gradients
def wavenet(x, filters, gates, mixes):
    line = x
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], layer + 1)
        gate = causal_conv(line, gates[layer], layer + 1)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = s
        line = line + s
    return total


# %% only_leak: the leak mended, the other three mistakes left
# loses: gate, sum, reach, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], layer + 1)
        gate = causal_conv(line, gates[layer], layer + 1)
        s = (content.tanh() * content.sigmoid()) @ mixes[layer].T
        total = s
        line = line + s
    return total


# %% only_sum: the sum mended, the other three mistakes left
# loses: leak, gate, reach, together, gradients
def wavenet(x, filters, gates, mixes):
    line = x
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], layer + 1)
        gate = causal_conv(line, gates[layer], layer + 1)
        s = (content.tanh() * content.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% own_tanh: a tanh written with an exponential: its gradient is NaN where that is infinite
# loses: gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = ((2 / (1 + (-2 * content).exp()) - 1) * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% residual_x: the input added to s in every layer, in place of the line
# loses: together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = F.pad(x, (0, 0, 1, 0))[:, :-1] + s
    return total


# %% roll: an input that goes around: row 0 knows the last place
# loses: leak, together, gradients
def wavenet(x, filters, gates, mixes):
    line = x.roll(1, 1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% stops_when_too_far: no layer whose dilation is as long as the sequence
# loses: together
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        if 2**layer >= x.shape[1]:
            break    # reaches back before the beginning
        dilation = 2**layer
        content = causal_conv(line, filters[layer], dilation)
        gate = causal_conv(line, gates[layer], dilation)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% sum_left: the last layer alone as the result, the other three mended
# loses: sum, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = s
        line = line + s
    return total


# %% transposed: V transposed
# loses: gate, sum, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer]
        total = total + s
        line = line + s
    return total


# %% twice: an input moved by two places
# loses: leak, together, gradients
def wavenet(x, filters, gates, mixes):
    line = F.pad(x, (0, 0, 2, 0))[:, :-2]
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% two_sigmoids: two sigmoids in place of tanh and sigmoid
# loses: gate, sum, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.sigmoid() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total


# %% wrong_way: an input moved to the left: row t knows the answer and what follows
# loses: leak, gate, sum, reach, together, gradients
def wavenet(x, filters, gates, mixes):
    line = torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
