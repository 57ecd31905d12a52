"""NumPy, one row after the other."""


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
