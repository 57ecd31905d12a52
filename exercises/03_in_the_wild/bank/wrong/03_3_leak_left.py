"""a network that still reads x_t for row t, the other three mended"""


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
