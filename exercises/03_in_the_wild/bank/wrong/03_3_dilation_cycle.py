"""dilations that begin again after ten layers"""
# loses: together
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        dilation = 2 ** (layer % 10)
        content = causal_conv(line, filters[layer], dilation)
        gate = causal_conv(line, gates[layer], dilation)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
