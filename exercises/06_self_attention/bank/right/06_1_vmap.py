"""One query and its keys, mapped over queries and batch."""
def of_one_query(query, keys, values, allowed):
    scores = (keys * query).sum(-1) / len(query) ** 0.5
    largest = torch.where(allowed, scores, -torch.inf).max().detach()
    weights = torch.where(allowed, torch.where(allowed, scores - largest, 0.0).exp(), 0.0)
    return (weights.unsqueeze(1) * values).sum(0) / weights.sum().clamp(min=torch.finfo(weights.dtype).tiny)


over_queries = torch.vmap(of_one_query, in_dims=(0, None, None, 0))
over_batch = torch.vmap(over_queries)


def attention(query, key, value, allowed=None):
    if allowed is None:
        allowed = torch.ones((), dtype=torch.bool).expand(*query.shape[:2], key.shape[1])
    return over_batch(query, key, value, allowed)
