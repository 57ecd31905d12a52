"""the window ignored where positions are predicted"""


# loses: windows, predicted, rubbish, gradients
def local_attention(query, keys, lengths, window, raw=None):
    place = torch.arange(1, keys.shape[1] + 1)
    real = place <= lengths[:, None]
    keys = keys.masked_fill(~real[:, :, None], 0.0)
    if raw is None:
        center = torch.arange(1, query.shape[1] + 1)[None]
    else:
        center = lengths[:, None] * raw.sigmoid()
    distance = place - center[:, :, None]
    near = ((distance.abs() <= window) | (raw is not None)) & real[:, None]
    empty = ~near.any(dim=2, keepdim=True)
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~(near | empty), -math.inf)
    weights = scores.softmax(dim=2).masked_fill(empty, 0.0)
    if raw is not None:
        weights = weights * torch.exp(-2 * (distance / window) ** 2)
    return weights @ keys, weights
