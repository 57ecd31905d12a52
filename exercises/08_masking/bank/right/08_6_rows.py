"""Each position by itself, over the stretch of its own text."""


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
