"""dilations that begin again after ten layers"""
# loses: pieces
def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    k = filters.shape[1]
    if queues is None:
        queues = [x.new_zeros(batch, (k - 1) * 2 ** (layer % 10), d) for layer in range(len(filters))]
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        dilation = 2 ** (layer % 10)
        reach = (k - 1) * dilation
        known = torch.cat([queues[layer], line], dim=1)
        content = causal_conv(known, filters[layer], dilation)[:, known.shape[1] - time :]
        gate = causal_conv(known, gates[layer], dilation)[:, known.shape[1] - time :]
        after.append(known[:, known.shape[1] - reach :])
        s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
        total = total + s
        line = line + s
    return total, after
