"""a set for top-p in order of size, laid over the tokens as they stand"""


# loses: top-p, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    if top_k is not None:
        ordered = p.sort(dim=1, descending=True).values
        p = p * (p >= ordered[:, :top_k].amin(dim=1, keepdim=True))
        p = p / p.sum(dim=1, keepdim=True)
    if top_p is not None:
        ordered = p.sort(dim=1, descending=True).values
        before = ordered.cumsum(dim=1) - ordered
        p = p * (before < top_p)
        p = p / p.sum(dim=1, keepdim=True).clamp(min=1e-30)
    return p
