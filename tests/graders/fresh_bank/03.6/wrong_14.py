# question 03.6
# wrong: the queues at the beginning are made once and kept, and are filled by the first piece of every sequence
# differs: two sequences read from the beginning, one after the other: the second goes on from the first
_first = {}


def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    k = filters.shape[1]
    line, total, after = x, torch.zeros_like(x), []
    name = tuple(x.shape[::2]) + tuple(filters.shape)
    begins = queues is None
    if begins and name in _first:
        queues = _first[name]
    for layer in range(len(filters)):
        dilation = 2**layer
        reach = (k - 1) * dilation
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
    if begins:
        _first[name] = after
    return total, after
