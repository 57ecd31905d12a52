"""Right answers to question 17.1."""


# %% gathered: Every query with every distance, and a lookup of each key's distance.
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    away = torch.arange(m - n, m)[:, None] - torch.arange(m)
    by_distance = torch.einsum("bid,rd->bir", query, distance_key)
    index = away.clamp(min=0).expand(len(query), n, m)
    scores = torch.einsum("bid,bjd->bij", query, key) + by_distance.gather(2, index)
    return torch.where(away < 0, -torch.inf, scores)


# %% loops: A row for each query.
def relative_scores(query, key, distance_key):
    n, m = query.shape[1], key.shape[1]
    result = []
    for i in range(n):
        own = m - n + i
        content = (query[:, i, None] * key[:, : own + 1]).sum(dim=2)
        distance = query[:, i] @ distance_key[: own + 1].flip(0).T
        row = content + distance
        later = query.new_full((len(query), m - own - 1), -math.inf)
        result.append(torch.cat([row, later], dim=1))
    return torch.stack(result, dim=1)


# %% double: The skew in float64, with a mask that is added.
def relative_scores(query, key, distance_key):
    query, key, distance_key = query.double(), key.double(), distance_key.double()
    n, m = query.shape[1], key.shape[1]
    by_distance = query @ torch.flip(distance_key, (0,)).T
    zeros = by_distance.new_zeros(len(query), n, 1)
    line = torch.cat([zeros, by_distance], dim=2).reshape(len(query), -1)
    skewed = line[:, n:].reshape(len(query), n, m)
    later = torch.full((n, m), -torch.inf, dtype=torch.float64).triu(m - n + 1)
    return query @ key.transpose(1, 2) + skewed + later
