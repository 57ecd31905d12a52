# question 03.3
# wrong: x is moved in place, in the caller's tensor
# differs: any x of at least two rows: x is another after the call
def wavenet(x, filters, gates, mixes):
    """Rows that predict x, each from what stands before it."""
    line = x.detach()
    line[:, 1:] = x[:, :-1].clone()
    line[:, 0] = 0
    total = torch.zeros_like(x)
    for layer in range(len(filters)):
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total
