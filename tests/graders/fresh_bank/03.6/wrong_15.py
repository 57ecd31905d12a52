# question 03.6
# wrong: outputs are put into a float32 tensor whatever the dtype
# differs: float64 inputs: float32 comes back
def one_place(x, filters, gates, mixes, queues):
    """The output and the new queues after one place; x is (batch, d)."""
    total, after = torch.zeros_like(x), []
    for layer, (W_f, W_g, V) in enumerate(zip(filters, gates, mixes)):
        queue = torch.cat([queues[layer], x[:, None]], dim=1)
        f = g = 0
        for i in range(len(W_f)):
            old = queue[:, -1 - i * 2**layer]
            f = f + old @ W_f[i].T
            g = g + old @ W_g[i].T
        s = (torch.tanh(f) * torch.sigmoid(g)) @ V.T
        total = total + s
        x = x + s
        after.append(queue[:, 1:])
    return total, after


def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    layers, k = filters.shape[:2]
    if queues is None:
        queues = [
            torch.zeros(batch, (k - 1) * 2**layer, d, dtype=x.dtype)
            for layer in range(layers)
        ]
    queues = list(queues)
    outputs = torch.zeros(batch, time, d)
    for t in range(time):
        outputs[:, t], queues = one_place(x[:, t], filters, gates, mixes, queues)
    return outputs, queues
