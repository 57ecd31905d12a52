# question 03.3
# wrong: the input is rolled, so that row 0 knows the last row
# differs: time 3, one layer: row 0 of the result moves with x[:, 2]
def wavenet(x, filters, gates, mixes):
    """Rows that predict x, each from what stands before it."""
    line = x.roll(1, dims=1)
    total = torch.zeros_like(x)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
