# question 03.6
# wrong: the queue is newest first
# differs: k = 3, one place after others, layer 0: the two inputs stand the wrong way round
def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    k = filters.shape[1]
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        dilation = 2**layer
        reach = (k - 1) * dilation
        if queues is None:
            queue = x.new_zeros(batch, reach, d)
        else:
            queue = queues[layer].flip(1)
        seen = torch.cat([queue, line], dim=1)
        after.append(seen[:, time:].flip(1))
        if time > 0:
            content = causal_conv(seen, filters[layer], dilation)[:, reach:]
            gate = causal_conv(seen, gates[layer], dilation)[:, reach:]
            s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
            total = total + s
            line = line + s
    return total, after
