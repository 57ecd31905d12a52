# question 03.3
# wrong: the dilation stops doubling at 64
# differs: eight layers, k = 2, time 200
def wavenet(x, filters, gates, mixes):
    """Rows that predict x, each from what stands before it."""
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(x)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], min(2**layer, 64))
        gate = causal_conv(line, gates[layer], min(2**layer, 64))
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
