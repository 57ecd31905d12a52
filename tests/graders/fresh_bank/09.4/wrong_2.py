# question 09.4
# wrong: rows outside still wrap around to the other side
# differs: c = 1, three keys, one query at 0: key 2 gets row 0 instead of row 2
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = (c + j - i) % len(vectors)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])
