"""the gate mended, the other three mistakes left"""


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
