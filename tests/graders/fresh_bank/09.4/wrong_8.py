# question 09.4
# wrong: a generated query is taken for the only one: with a start all queries stand there
# differs: start 3, two queries, c = 4: the second query has the distances of the first
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    if start > 0:
        i = torch.full((query.shape[1], 1), start)
    else:
        i = torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])
