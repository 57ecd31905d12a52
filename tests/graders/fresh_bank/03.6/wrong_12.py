# question 03.6
# wrong: the logistic function is written as e^a / (1 + e^a), NaN for large inputs
# differs: inputs near 3,000, one place
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
        after.append(seen[:, time:].clone())
        if time > 0:
            content = causal_conv(seen, filters[layer], dilation)[:, reach:]
            gate = causal_conv(seen, gates[layer], dilation)[:, reach:]
            s = (content.tanh() * (gate.exp() / (1 + gate.exp()))) @ mixes[layer].T
            total = total + s
            line = line + s
    return total, after
