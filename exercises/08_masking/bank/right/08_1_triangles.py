"""Triangles of ones, with the diagonal moved."""


def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    mask = torch.ones(n_queries, n_keys)
    if causal:
        mask = mask.tril(n_keys - n_queries)
    if reach is not None:
        mask = mask.triu(n_keys - n_queries - reach + 1)
    mask = mask.bool()[None]
    if lengths is None:
        return mask
    return torch.stack([mask[0] & (torch.arange(n_keys) < length) for length in lengths])
