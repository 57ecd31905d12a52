"""the start mended, and nothing else"""


# loses: direction, far, scale, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = (c + i - j) % len(vectors)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products
