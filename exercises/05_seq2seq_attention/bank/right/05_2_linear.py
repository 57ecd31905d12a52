"""Linear maps in float64, and a bias for the softmax."""


def additive_attention(query, keys, lengths, W_query, W_key, v):
    for_query = F.linear(query.double(), W_query.double())[:, :, None, :]
    for_keys = F.linear(keys.double(), W_key.double())[:, None, :, :]
    scores = F.linear(torch.tanh(for_query + for_keys), v.double()[None])[..., 0]
    real = (torch.arange(keys.shape[1])[None] < lengths[:, None])[:, None, :]
    lowest = torch.finfo(scores.dtype).min
    weights = F.softmax(torch.where(real, scores, lowest), dim=-1) * real
    return torch.bmm(weights, keys.double()), weights
