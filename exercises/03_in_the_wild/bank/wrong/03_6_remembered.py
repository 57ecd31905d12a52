"""a list outside the function in place of the queues"""


# loses: one place, pieces, two ways on
KEPT = {}


def read(x, filters, gates, mixes, queues=None):
    line, total = x, torch.zeros_like(x)
    if queues is None:
        KEPT.clear()
    for layer in range(len(filters)):
        reach = (filters.shape[1] - 1) * 2**layer
        past = F.pad(x[:, :0], (0, 0, reach, 0))
        kept = KEPT.get(layer, past)
        known = torch.cat([kept if kept.shape == past.shape else past, line], dim=1)
        KEPT[layer] = known[:, line.shape[1] :]
        content = causal_conv(known, filters[layer], 2**layer)
        gate = causal_conv(known, gates[layer], 2**layer)
        s = (content.tanh() * gate.sigmoid())[:, reach:] @ mixes[layer].T
        total, line = total + s, line + s
    return total, [KEPT[layer] for layer in range(len(filters))]
