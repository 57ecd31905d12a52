# question 09.4
# wrong: there can be fewer keys than start, but here the first query stands at the last key at most
# differs: start 5, one query, two keys, c = 6: distances -1, 0 instead of -5, -4
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    start = min(start, n_keys - 1)
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])
