"""a key allowed where one condition holds instead of all"""


# loses: reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    parts = []
    if causal:
        parts.append((key <= query))
    if reach is not None:
        parts.append(key > query - reach)
    if lengths is not None:
        parts.append((key < lengths[:, None, None]).expand(-1, n_queries, -1))
    if not parts:
        return torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    allowed = parts[0]
    for part in parts[1:]:
        allowed = allowed | part
    return allowed
