# question 05.6
# wrong: the window is laid around the rounded position (the Gaussian around the exact one)
# differs: length 4, window 1, raw = logit(0.4), so p = 1.6: key 1 and 2 are in the window, and with the rounded 2 key 3 as well
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
    near = (place - center[:, :, None].round()).abs() if raw is not None else away.abs()
    inside = real[:, None] & (near <= window)
    empty = ~inside.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(inside | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (away / window) ** 2)
    return weights @ keys, weights
