"""a sigmoid written as exp(a) / (1 + exp(a)), which is NaN for large a"""


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
