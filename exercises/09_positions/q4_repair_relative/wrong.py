"""Named mistakes in question 09.4."""


# %% detached: a bias without a gradient for the vectors
# loses: gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors.detach()[rows])
    return products / math.sqrt(query.shape[2])


# %% direction: the query's position minus the key's
# loses: direction, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (i - j).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])


# %% int8: positions in eight bits, which wrap around beyond 127
# loses: together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = (start + torch.arange(query.shape[1])[:, None]).to(torch.int8)
    j = torch.arange(n_keys).to(torch.int8)
    rows = c + (j - i).long().clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])


# %% no_scale: products without the scale
# loses: scale, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products


# %% no_start: queries that always begin at position 0
# loses: start, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])


# %% nothing_from_one: no bias at all where one vector serves all distances
# loses: far
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    if c == 0:
        return torch.zeros(*query.shape[:2], n_keys)
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])


# %% only_clip: the clipping mended, and nothing else
# loses: direction, scale, start, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (i - j).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products


# %% only_direction: the direction mended, and nothing else
# loses: far, scale, start, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = (c + j - i) % len(vectors)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products


# %% only_scale: the scale mended, and nothing else
# loses: direction, far, start, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = (c + i - j) % len(vectors)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])


# %% only_start: the start mended, and nothing else
# loses: direction, far, scale, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = (c + i - j) % len(vectors)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products


# %% scale_of_keys: a scale made from the number of keys
# loses: direction, far, scale, start, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(n_keys)


# %% start_subtracted: a start that is subtracted
# loses: start, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = torch.arange(query.shape[1])[:, None] - start
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])


# %% start_within_keys: a first query that stands at the last key where it should stand behind it
# loses: start
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = min(start, n_keys - 1) + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])


# %% wrapped: distances that wrap around to the other end
# loses: far, together, gradients
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = (c + j - i) % len(vectors)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])
