# question 09.4
# wrong: with one vector alone (c = 0) it takes the products for nothing and returns zeros
# differs: vectors (1, d), random query
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    if c == 0:
        return query.new_zeros(query.shape[0], query.shape[1], n_keys)
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])
