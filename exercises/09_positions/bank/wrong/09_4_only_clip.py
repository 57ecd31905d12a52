"""the clipping mended, and nothing else"""


# loses: direction, scale, start, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (i - j).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products
