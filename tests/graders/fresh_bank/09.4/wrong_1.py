# question 09.4
# wrong: the distance is still that of the query minus that of the key
# differs: c = 1, two keys, one query at 0: key 1 gets row 0 instead of row 2
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (i - j).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])
