# question 03.3
# wrong: the result is the last line, which has the moved input in it as well
# differs: one layer with mixes of zeros: the result is the moved x instead of 0
def wavenet(x, filters, gates, mixes):
    """Rows that predict x, each from what stands before it."""
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(x)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return line
