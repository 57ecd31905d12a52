"""Right answers to question 14.1."""


# %% lists: Plain lists, each token taken in turn until the sum is reached.
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    result = []
    for row in logits.tolist():
        top = max(row)
        weights = {i: math.exp((z - top) / temperature) for i, z in enumerate(row)}
        order = sorted(weights, key=weights.get, reverse=True)
        if top_k is not None:
            order = order[:top_k]
        whole = math.fsum(weights[i] for i in order)
        kept, reached = {}, 0.0
        for i in order:
            if top_p is not None and reached >= top_p * whole:
                break
            kept[i] = weights[i]
            reached += weights[i]
        result.append([kept.get(i, 0.0) / reached for i in range(len(row))])
    return torch.tensor(result, dtype=torch.float64)


# %% numpy_rows: NumPy, one row after the other.
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    rows = []
    for z in logits.numpy().astype(float) / temperature:
        e = np.exp(z - z.max())
        p = e / e.sum()
        order = np.argsort(-p)
        if top_k is not None:
            p[order[top_k:]] = 0.0
            p = p / p.sum()
        if top_p is not None:
            n = int(np.searchsorted(p[order].cumsum(), top_p)) + 1
            p[order[n:]] = 0.0
        rows.append(p / p.sum())
    return torch.from_numpy(np.stack(rows))


# %% thresholds: The least probability that is kept, found for each row, and minus infinity for the others.
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits.double() / temperature
    if top_k is not None:
        k = min(top_k, z.shape[1])
        least = z.topk(k, dim=1).values[:, -1:]
        z = z.masked_fill(z < least, -math.inf)
    if top_p is not None:
        p = torch.softmax(z, dim=1)
        larger = p[:, None, :] > p[:, :, None]
        above = (larger * p[:, None, :]).sum(dim=2)
        z = z.masked_fill(above >= top_p, -math.inf)
    return torch.softmax(z, dim=1)
