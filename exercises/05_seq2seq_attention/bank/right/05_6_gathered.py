"""Windows gathered from the keys, and put back in place."""


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
