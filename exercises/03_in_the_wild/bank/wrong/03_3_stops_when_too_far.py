"""no layer whose dilation is as long as the sequence"""
# loses: together
def wavenet(x, filters, gates, mixes):
    line = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    total = torch.zeros_like(line)
    for layer in range(len(filters)):
        if 2**layer >= x.shape[1]:
            break    # reaches back before the beginning
        dilation = 2**layer
        content = causal_conv(line, filters[layer], dilation)
        gate = causal_conv(line, gates[layer], dilation)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
