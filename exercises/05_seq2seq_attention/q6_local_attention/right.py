"""Right answers to question 05.6."""


# %% einsum: Einstein sums in float64, and what is closed marked instead of what is open.
def local_attention(query, keys, lengths, window, raw=None):
    batch, steps, d = query.shape
    time = keys.shape[1]
    place = torch.arange(time).double() + 1
    padding = place[None] > lengths[:, None]
    h = torch.where(padding[:, :, None], 0.0, keys.double())
    p = torch.arange(steps).double().expand(batch, steps) + 1
    if raw is not None:
        p = lengths[:, None] * torch.sigmoid(raw.double())
    gap = place - p[:, :, None]
    closed = (gap.abs() > window) | padding[:, None]
    scores = torch.einsum("bjd,bid->bji", query.double(), h).masked_fill(closed, -1e30)
    weights = torch.softmax(scores, -1).masked_fill(closed, 0.0)
    if raw is not None:
        weights = weights * (-0.5 * (gap / (window / 2)).square()).exp()
    return torch.einsum("bji,bid->bjd", weights, h), weights


# %% gathered: Windows gathered from the keys, and put back in place.
def local_attention(query, keys, lengths, window, raw=None):
    batch, steps, d = query.shape
    time = keys.shape[1]
    if raw is None:
        p = torch.arange(1.0, steps + 1).repeat(batch, 1)
    else:
        p = raw.sigmoid() * lengths.unsqueeze(1)
    first = (p.detach() - window).ceil().long()
    place = first[:, :, None] + torch.arange(2 * window + 1)
    gap = place - p[:, :, None]
    open_ = (place >= 1) & (place <= lengths[:, None, None]) & (gap.abs() <= window)
    rows = torch.arange(batch)[:, None, None]
    index = (place - 1).clamp(0, time - 1)
    h = torch.where(open_[..., None], keys[rows, index], torch.zeros(()))
    scores = (h * query[:, :, None]).sum(-1)
    top = torch.where(open_, scores, -1e30).amax(2, keepdim=True).detach()
    powers = torch.where(open_, torch.where(open_, scores - top, 0.0).exp(), 0.0)
    w = powers / powers.sum(2, keepdim=True).clamp(min=1.0)
    if raw is not None:
        w = w * (-2 * gap.square() / window**2).exp()
    weights = torch.zeros(batch, steps, time).scatter_add(2, index, w)
    return (w[..., None] * h).sum(2), weights


# %% loops: One query at a time, over its window alone.
def local_attention(query, keys, lengths, window, raw=None):
    all_contexts, all_weights = [], []
    for b, n in enumerate(lengths.tolist()):
        h = keys[b, :n]
        place = torch.arange(1.0, n + 1)
        for j, q in enumerate(query[b]):
            p = torch.tensor(j + 1.0) if raw is None else n * torch.sigmoid(raw[b, j])
            inside = ((place - p).abs() <= window).nonzero()[:, 0]
            w = torch.softmax(h[inside] @ q, 0)
            if raw is not None:
                w = w * torch.exp(-((place[inside] - p) ** 2) / (2 * (window / 2) ** 2))
            all_contexts.append(w @ h[inside])
            all_weights.append(torch.zeros(keys.shape[1]).index_put((inside,), w))
    shape = query.shape[:2]
    contexts, weights = torch.stack(all_contexts), torch.stack(all_weights)
    return contexts.unflatten(0, shape), weights.unflatten(0, shape)
