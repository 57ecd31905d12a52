"""a causal mask that closes the diagonal too"""


# loses: causal, last positions, reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key < query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return allowed
