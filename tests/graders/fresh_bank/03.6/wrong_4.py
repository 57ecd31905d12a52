# question 03.6
# wrong: the queues that were given are rolled in place, so a second sequence cannot go on from them
# differs: read one place twice from the same queues: other results the second time
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
            queue = queues[layer]
        seen = torch.cat([queue, line], dim=1)
        fresh = seen[:, time:].clone()
        after.append(queue.copy_(fresh))
        if time > 0:
            content = causal_conv(seen, filters[layer], dilation)[:, reach:]
            gate = causal_conv(seen, gates[layer], dilation)[:, reach:]
            s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
            total = total + s
            line = line + s
    return total, after
