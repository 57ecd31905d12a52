"""One query at a time, over its window alone."""


def local_attention(query, keys, lengths, window, raw=None):
    all_contexts, all_weights = [], []
    for b, n in enumerate(lengths.tolist()):
        h = keys[b, :n]
        place = torch.arange(1.0, n + 1)
        for j, q in enumerate(query[b]):
            p = torch.tensor(j + 1.0) if raw is None else n * torch.sigmoid(raw[b, j])
            inside = ((place - p).abs() <= window).nonzero()[:, 0]
            w = torch.softmax(h[inside] @ q, 0)
            if raw is not None:
                w = w * torch.exp(-((place[inside] - p) ** 2) / (2 * (window / 2) ** 2))
            all_contexts.append(w @ h[inside])
            all_weights.append(torch.zeros(keys.shape[1]).index_put((inside,), w))
    shape = query.shape[:2]
    contexts, weights = torch.stack(all_contexts), torch.stack(all_weights)
    return contexts.unflatten(0, shape), weights.unflatten(0, shape)
