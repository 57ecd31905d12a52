"""the top_k most probable tokens of the whole batch"""


# loses: top-k, together, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = (logits.double() / temperature).softmax(dim=1)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        bound = p.flatten().sort(descending=True).values[:top_k][-1]
        bound = bound.clamp(max=ordered[:, :1])
        ordered = ordered * (ordered >= bound)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)
