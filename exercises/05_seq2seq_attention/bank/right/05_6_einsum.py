"""Einstein sums in float64, and what is closed marked instead of what is open."""


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
