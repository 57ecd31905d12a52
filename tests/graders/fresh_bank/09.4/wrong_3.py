# question 09.4
# wrong: the scale is the root of the number of vectors
# differs: d_head 4 and five vectors: divided by 2.24 instead of 2
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(len(vectors))
