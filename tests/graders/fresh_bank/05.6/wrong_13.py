# question 05.6
# wrong: the softmax runs over all real keys, and the window is cut out of it afterwards
# differs: no raw, window 1, four keys, query of zeros: the first step has weights 0.25, 0.25, 0, 0
def local_attention(query, keys, lengths, window, raw=None):
    batch, steps, _ = query.shape
    time = keys.shape[1]
    place = torch.arange(1, time + 1)
    real = place <= lengths[:, None]
    keys = torch.where(real[:, :, None], keys, 0.0)
    if raw is None:
        center = torch.arange(1, steps + 1).expand(batch, steps)
    else:
        center = lengths[:, None] * torch.sigmoid(raw)
    away = place - center[:, :, None]
    inside = real[:, None] & (away.abs() <= window)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~real[:, None], -math.inf)
    weights = scores.softmax(dim=2) * inside
    if raw is not None:
        weights = weights * torch.exp(-2 * (away / window) ** 2)
    return weights @ keys, weights
