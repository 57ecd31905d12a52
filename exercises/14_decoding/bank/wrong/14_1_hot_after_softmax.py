"""a temperature that comes after a softmax in single precision"""


# loses: temperature, extremes
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    p = logits.float().softmax(dim=1) ** (1 / temperature)
    p = p / p.sum(dim=1, keepdim=True)
    ordered, tokens = p.sort(dim=1, descending=True)
    if top_k is not None:
        ordered = ordered * (torch.arange(p.shape[1]) < top_k)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    if top_p is not None:
        before = ordered.cumsum(dim=1) - ordered
        ordered = ordered * (before < top_p)
        ordered = ordered / ordered.sum(dim=1, keepdim=True)
    return torch.zeros_like(p).scatter(1, tokens, ordered)
