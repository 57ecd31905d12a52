# question 09.4
# wrong: keys behind the query are masked with minus infinity
# differs: two keys, one query at 0: key 1 gets minus infinity
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    products = products / math.sqrt(query.shape[2])
    return products.masked_fill(j > i, -math.inf)
