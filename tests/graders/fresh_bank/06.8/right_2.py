# question 06.8
def log_total(query, key, allowed):
    scores = torch.einsum("bqd,bkd->bqk", query, key) * query.shape[-1] ** -0.5
    some = allowed.any(dim=-1)
    low = torch.where(allowed, scores, -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(some[..., None], low, 0.0).detach()
    # where a key is not allowed its score is replaced before exp sees it
    terms = torch.where(allowed, torch.where(allowed, scores, top) - top, 0.0).exp()
    Z = torch.where(allowed, terms, 0.0).sum(dim=-1)
    log_Z = torch.where(some, Z, 1.0).log() + top.squeeze(-1)
    return torch.where(some, log_Z, -math.inf)


def merge(average, total, other_average, other_total):
    here, there = total > -math.inf, other_total > -math.inf
    both = here & there
    a = torch.where(both, total, 0.0)
    b = torch.where(both, other_total, 0.0)
    # difference of the log totals: the logistic function gives the weight
    w = torch.sigmoid(a - b)
    w = torch.where(both, w, here.to(w.dtype)).unsqueeze(-1)
    rest = torch.where(both, torch.sigmoid(b - a), (~here & there).to(a.dtype))
    result = w * average + rest.unsqueeze(-1) * other_average
    top = torch.maximum(a, b)
    joint = top + torch.log1p(torch.exp(torch.minimum(a, b) - top))
    alone = torch.where(here, total, other_total)
    return result, torch.where(both, joint, alone)


def attention_in_blocks(query, blocks):
    batch, queries, _ = query.shape
    total = query.new_full((batch, queries), -math.inf)
    average = None
    for key, value, allowed in blocks:
        if average is None:
            average = query.new_zeros(batch, queries, value.shape[2])
        average, total = merge(
            average, total, attention(query, key, value, allowed),
            log_total(query, key, allowed),
        )
    return average
