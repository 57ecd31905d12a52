# question 05.6
# wrong: scores outside the window are set to -1000 instead of minus infinity and then to weight 0, which takes the weight from windows of very low scores
# differs: scores of -3000 in the window (query [[-3000.0]], keys of 1): weights 0 instead of a softmax
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
    scores = scores.masked_fill(~inside, -1000.0)
    weights = scores.softmax(dim=2).masked_fill(~inside, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (away / window) ** 2)
    return weights @ keys, weights
