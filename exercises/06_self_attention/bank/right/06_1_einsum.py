"""Einstein sums; exponentials set to zero where forbidden, and a safe division."""
def attention(query, key, value, allowed=None):
    scores = torch.einsum("bqd,bkd->bqk", query, key) / math.sqrt(query.shape[-1])
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    scores = torch.where(allowed, scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
    shifted = scores - scores.detach().amax(dim=2, keepdim=True)
    exponentials = shifted.exp() * allowed
    total = exponentials.sum(dim=2, keepdim=True)
    weights = exponentials / torch.where(total > 0, total, torch.ones_like(total))
    return torch.einsum("bqk,bkv->bqv", weights, value)
