"""the bounds of the first row for all rows, in top-k as well as in top-p"""


# loses: top-k, top-p, together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    if top_k is not None:
        bound = p[0].sort(descending=True).values[:top_k][-1]
        bound = bound.clamp(max=p.amax(1, keepdim=True))
        p = p * (p >= 0.999999 * bound)
        p = p / p.sum(dim=1, keepdim=True)
    if top_p is not None:
        ordered = p[0].sort(descending=True).values
        kept = ordered.cumsum(0) - ordered < top_p
        bound = ordered[kept].min()
        bound = bound.clamp(max=p.amax(1, keepdim=True))
        p = p * (p >= 0.999999 * bound)
        p = p / p.sum(dim=1, keepdim=True)
    return p
