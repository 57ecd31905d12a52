# question 09.4
# wrong: the vectors are taken without their gradient
# differs: vectors.grad is missing after backward (values are right)
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    table = torch.stack([torch.tensor(v.tolist(), dtype=query.dtype) for v in vectors])
    products = torch.einsum("bqd,qkd->bqk", query, table[rows])
    return products / math.sqrt(query.shape[2])
