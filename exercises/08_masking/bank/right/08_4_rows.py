"""Row by row, over the real positions before it."""


def masked_weights(query, key, real):
    batch, time, d = query.shape
    weights = []
    for b in range(batch):
        rows = []
        for i in range(time):
            open_ = real[b, : i + 1].nonzero()[:, 0]
            row = torch.zeros(time)
            if len(open_):
                found = torch.softmax(key[b, open_] @ query[b, i] / math.sqrt(d), dim=0)
                row = row.index_put((open_,), found)
            rows.append(row)
        weights.append(torch.stack(rows))
    return torch.stack(weights)


def mean_nats(logits, targets, real):
    targets = targets.masked_fill(~real, -100)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100)
