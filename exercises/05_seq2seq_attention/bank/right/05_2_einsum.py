"""Einstein sums, and the exponentials by hand."""


def additive_attention(query, keys, lengths, W_query, W_key, v):
    a = torch.einsum("bjd,kd->bjk", query, W_query)
    b = torch.einsum("bid,kd->bik", keys, W_key)
    scores = torch.einsum("bjik,k->bji", (a.unsqueeze(2) + b.unsqueeze(1)).tanh(), v)
    place = torch.arange(keys.size(1))
    padding = (place >= lengths.unsqueeze(1)).unsqueeze(1).expand_as(scores)
    scores = scores.masked_fill(padding, -1e30)
    powers = (scores - scores.amax(2, keepdim=True).detach()).exp().masked_fill(padding, 0.0)
    weights = powers / powers.sum(2, keepdim=True).clamp(min=1e-30)
    return torch.einsum("bji,bid->bjd", weights, keys), weights
