"""a reach that acts with `causal` alone"""


# loses: reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal:
        mask = mask & (key <= query)
    if reach is not None and causal:
        mask = mask & (query - key < reach)
    if lengths is not None:
        mask = mask & (key < lengths[:, None, None])
    return mask
