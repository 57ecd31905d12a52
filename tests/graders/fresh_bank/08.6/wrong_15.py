# question 08.6
# wrong: the caller's tensors are cleaned in place
# differs: padding of NaN: query, key and value hold zeros afterwards
def packed_mask(document):
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
    with torch.no_grad():
        for a in (query, key, value):
            a.masked_fill_(padding, 0.0)
    query, key, value = (a.masked_fill(padding, 0.0) for a in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)
