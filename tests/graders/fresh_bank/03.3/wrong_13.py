# question 03.3
# wrong: the input is moved by leaving out the last row and repeating the first one in front
# differs: time 2: row 0 of the result depends on x[:, 0]
def wavenet(x, filters, gates, mixes):
    """Rows that predict x, each from what stands before it."""
    line = torch.cat([x[:, :1], x[:, :-1]], dim=1)
    total = torch.zeros_like(x)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
