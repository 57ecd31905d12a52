"""Right answers to question 05.2."""


# %% einsum: Einstein sums, and the exponentials by hand.
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


# %% linear: Linear maps in float64, and a bias for the softmax.
def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query = F.linear(query.double(), W_query.double())[:, :, None, :]
    for_keys = F.linear(keys.double(), W_key.double())[:, None, :, :]
    scores = F.linear(torch.tanh(for_query + for_keys), v.double()[None])[..., 0]
    real = (torch.arange(keys.shape[1])[None] < lengths[:, None])[:, None, :]
    lowest = torch.finfo(scores.dtype).min
    weights = F.softmax(torch.where(real, scores, lowest), dim=-1) * real
    return torch.bmm(weights, keys.double()), weights


# %% loops: One query and one key at a time.
def additive_attention(query, keys, lengths, W_query, W_key, v):
    contexts, weights = [], []
    for b in range(len(query)):
        n = int(lengths[b])
        projected = keys[b, :n] @ W_key.T
        for q in query[b]:
            scores = torch.tanh(W_query @ q + projected) @ v
            w = torch.softmax(scores, 0)
            contexts.append(w @ keys[b, :n])
            weights.append(F.pad(w, (0, keys.shape[1] - n)))
    batch, steps = query.shape[:2]
    return (
        torch.stack(contexts).reshape(batch, steps, -1),
        torch.stack(weights).reshape(batch, steps, -1),
    )
