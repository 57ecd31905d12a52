"""positions of the padding counted on from the text before"""


# loses: positions
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    place = torch.arange(document.shape[1]).expand(document.shape)
    begins = F.pad(document[:, 1:] != document[:, :-1], (1, 0), value=True)
    begins = begins & (document >= 0)
    return place - torch.where(begins, place, 0).cummax(dim=1).values


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)
