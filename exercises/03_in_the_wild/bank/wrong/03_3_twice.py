"""an input moved by two places"""


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
