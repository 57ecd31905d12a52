"""a tanh written with an exponential: its gradient is NaN where that is infinite"""


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
