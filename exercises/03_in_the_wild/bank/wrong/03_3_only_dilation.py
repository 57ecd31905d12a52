"""the dilations mended, the other three mistakes left"""


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
