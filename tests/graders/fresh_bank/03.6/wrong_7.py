# question 03.6
# wrong: the dilation is layer + 1, right for two layers, not for three
# differs: three layers, k = 2, 8 places
def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    k = filters.shape[1]
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        dilation = layer + 1
        reach = (k - 1) * 2**layer
        if queues is None:
            queue = x.new_zeros(batch, reach, d)
        else:
            queue = queues[layer]
        seen = torch.cat([queue, line], dim=1)
        after.append(seen[:, time:].clone())
        if time > 0:
            content = causal_conv(seen, filters[layer], dilation)[:, reach:]
            gate = causal_conv(seen, gates[layer], dilation)[:, reach:]
            s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
            total = total + s
            line = line + s
    return total, after
