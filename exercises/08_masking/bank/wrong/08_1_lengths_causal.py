"""lengths that close later keys as well"""


# loses: lengths, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal or lengths is not None:
        mask = mask & (key <= query)
    if reach is not None:
        mask = mask & (query - key < reach)
    if lengths is not None:
        mask = mask & (key < lengths[:, None, None])
    return mask
