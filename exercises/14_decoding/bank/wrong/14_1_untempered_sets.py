"""sets for top-k and top-p that are chosen before the temperature"""


# loses: together
def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    ordered, tokens = logits.double().sort(dim=1, descending=True)
    plain = ordered.softmax(dim=1)
    if top_k is not None:
        plain = plain * (torch.arange(plain.shape[1]) < top_k)
        plain = plain / plain.sum(dim=1, keepdim=True)
    kept = plain > 0
    if top_p is not None:
        kept = kept & (plain.cumsum(dim=1) - plain < top_p)
    if top_k is None and top_p is None:
        kept = torch.ones_like(kept)
    ordered = (ordered / temperature).masked_fill(~kept, -torch.inf)
    p = ordered.softmax(dim=1)
    return torch.zeros_like(p).scatter(1, tokens, p)
