# question 07.6
def pool_heads(W, n_heads, n_shared):
    heads = W.chunk(n_heads, dim=1)
    share = n_heads // n_shared
    pooled = []
    for first in range(0, n_heads, share):
        group = heads[first : first + share]
        pooled.append(torch.stack(group).mean(dim=0))
    return torch.cat(pooled, dim=1)


def grouped_attention(query, key, value):
    batch, heads, m, d = query.shape
    shared, n = key.shape[1], key.shape[2]
    query = query.reshape(batch, shared, heads // shared, m, d)
    scores = torch.einsum("bgsqd,bgkd->bgsqk", query, key) * d**-0.5
    position = torch.arange(n - m, n).unsqueeze(1)
    future = torch.arange(n) > position
    scores = torch.where(future, -torch.inf, scores)
    weights = torch.softmax(scores, dim=-1)
    found = torch.einsum("bgsqk,bgke->bgsqe", weights, value)
    return found.flatten(1, 2)
