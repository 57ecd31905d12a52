# question 03.6
# wrong: a piece without places begins anew: zeros instead of the queues that were given
# differs: time 0, then one place, k = 2: as if it were the first one
def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    k = filters.shape[1]
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        dilation = 2**layer
        reach = (k - 1) * dilation
        if queues is None or time == 0:
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
