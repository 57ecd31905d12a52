# question 03.3
# wrong: the dilation grows by one from layer to layer instead of doubling; 1, 2 are right by chance
# differs: three layers, k = 2, time 8: the third layer has dilation 3 instead of 4
def wavenet(x, filters, gates, mixes):
    """Rows that predict x, each from what stands before it."""
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(x)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], layer + 1)
        gate = causal_conv(line, gates[layer], layer + 1)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
