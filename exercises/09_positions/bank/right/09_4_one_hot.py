"""Distances as one-hot vectors."""


def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    distance = torch.arange(n_keys)[None] - torch.arange(query.shape[1])[:, None] - start
    chosen = torch.nn.functional.one_hot(distance.clamp(-c, c) + c, 2 * c + 1)
    keys = chosen.to(vectors.dtype) @ vectors
    return (query[:, :, None] * keys).sum(-1) / math.sqrt(vectors.shape[1])
