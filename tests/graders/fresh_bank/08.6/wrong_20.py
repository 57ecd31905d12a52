# question 08.6
# wrong: the mask of an earlier call is used again if the shape is the same
# differs: two different documents of the same shape, one after the other
_kept = {}


def packed_mask(document):
    name = tuple(document.shape)
    if name not in _kept:
        _kept[name] = _mask(document)
    return _kept[name].clone()


def _mask(document):
    same = document[:, :, None] == document[:, None, :]
    real = document >= 0
    time = document.shape[1]
    return same & real[:, :, None] & real[:, None] & make_mask(time, time, causal=True)


def packed_positions(document):
    # how many of the positions up to one's own belong to the same text
    count = packed_mask(document).sum(dim=2)
    return (count - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query = query.masked_fill(padding, 0.0)
    key = key.masked_fill(padding, 0.0)
    value = value.masked_fill(padding, 0.0)
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)
