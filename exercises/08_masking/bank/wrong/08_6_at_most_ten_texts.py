"""ten texts in a row at the most"""
# loses: mask, positions, attention, gradients
def packed_mask(document):
    batch, time = document.shape
    real = document >= 0
    hot = F.one_hot(document.clamp(min=0, max=9), num_classes=10).float()
    hot = hot * real[:, :, None]
    same = hot @ hot.transpose(1, 2) > 0
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    return same & causal


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query = query.masked_fill(padding, 0.0)
    key = key.masked_fill(padding, 0.0)
    value = value.masked_fill(padding, 0.0)
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)
