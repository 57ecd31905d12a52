"""Right answers to question 08.6."""


# %% rows: Each position by itself, over the stretch of its own text.
def packed_positions(document):
    positions = torch.zeros_like(document)
    for b in range(document.shape[0]):
        for t in range(1, document.shape[1]):
            if document[b, t] >= 0 and document[b, t] == document[b, t - 1]:
                positions[b, t] = positions[b, t - 1] + 1
    return positions


def packed_mask(document):
    batch, time = document.shape
    mask = torch.zeros(batch, time, time, dtype=torch.bool)
    positions = packed_positions(document)
    for b in range(batch):
        for t in range(time):
            if document[b, t] >= 0:
                mask[b, t, t - positions[b, t] : t + 1] = True
    return mask


def packed_attention(query, key, value, document):
    positions, rows = packed_positions(document), []
    for b in range(query.shape[0]):
        for t in range(query.shape[1]):
            if document[b, t] < 0:
                rows.append(torch.zeros(value.shape[2]))
                continue
            begin = t - int(positions[b, t])
            scores = key[b, begin : t + 1] @ query[b, t] / math.sqrt(query.shape[2])
            rows.append(scores.softmax(0) @ value[b, begin : t + 1])
    return torch.stack(rows).reshape(*query.shape[:2], -1)


# %% texts: One text at a time, cut out of its row.
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


# %% where: where for everything, and the exponentials by hand.
def packed_mask(document):
    place = torch.arange(document.shape[1])
    past = place[:, None] >= place
    return past & (document.unsqueeze(2) == document.unsqueeze(1)) & (document.unsqueeze(1) != -1)


def packed_positions(document):
    place = torch.arange(document.shape[1]).expand(document.shape)
    begins = F.pad(document[:, 1:] != document[:, :-1], (1, 0), value=True)
    first = torch.where(begins, place, 0).cummax(dim=1).values
    return torch.where(document == -1, 0, place - first)


def packed_attention(query, key, value, document):
    text = (document != -1).unsqueeze(2)
    query, key, value = (torch.where(text, part, 0.0) for part in (query, key, value))
    allowed = packed_mask(document)
    scores = torch.einsum("bid,bjd->bij", query, key) / query.shape[-1] ** 0.5
    top = torch.where(allowed, scores, -3e38).amax(2, keepdim=True).detach()
    powers = torch.where(allowed, torch.where(allowed, scores - top, 0.0).exp(), 0.0)
    total = powers.sum(2, keepdim=True)
    return powers / torch.where(total > 0, total, 1.0) @ value
