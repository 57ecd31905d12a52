"""One text at a time, cut out of its row."""


def pieces(document):
    for b, row in enumerate(document.tolist()):
        for name in sorted(set(row) - {-1}):
            yield b, [t for t, other in enumerate(row) if other == name]


def packed_mask(document):
    batch, time = document.shape
    mask = torch.zeros(batch, time, time, dtype=torch.bool)
    for b, places in pieces(document):
        mask[b, places[0] : places[-1] + 1, places[0] : places[-1] + 1] = make_mask(
            len(places), len(places), causal=True
        )[0]
    return mask


def packed_positions(document):
    positions = torch.zeros_like(document)
    for b, places in pieces(document):
        positions[b, places] = torch.arange(len(places))
    return positions


def packed_attention(query, key, value, document):
    output = torch.zeros(*query.shape[:2], value.shape[2])
    for b, places in pieces(document):
        scores = query[b, places] @ key[b, places].T / math.sqrt(query.shape[2])
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        found = scores.masked_fill(future, -math.inf).softmax(dim=1) @ value[b, places]
        output = output.index_put((torch.tensor([b]), torch.tensor(places)), found)
    return output
