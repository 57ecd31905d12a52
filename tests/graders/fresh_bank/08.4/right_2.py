# question 08.4
def masked_weights(query, key, real):
    batch, time, d = query.shape
    scores = torch.einsum("bid,bjd->bij", query, key) / d ** 0.5
    later = torch.arange(time)[None, :] > torch.arange(time)[:, None]
    allowed = ~later[None] & real[:, None]
    top = scores.detach().masked_fill(~allowed, -math.inf).amax(dim=2, keepdim=True)
    top = torch.where(allowed.any(dim=2, keepdim=True), top, 0.0)
    e = torch.where(allowed, scores - top, -math.inf).exp()
    total = e.sum(dim=2, keepdim=True)
    return e / (total + (total == 0))


def mean_nats(logits, targets, real):
    marked = torch.where(real, targets, -100)
    return F.cross_entropy(logits.flatten(0, 1), marked.flatten(), ignore_index=-100)
