"""Right answers to question 08.1."""


# %% loops: Three loops over sequences, queries and keys.
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    ends = [n_keys] if lengths is None else lengths.tolist()
    mask = torch.zeros(len(ends), n_queries, n_keys, dtype=torch.bool)
    for b, end in enumerate(ends):
        for i in range(n_queries):
            for j in range(end):
                distance = i + n_keys - n_queries - j
                if causal and distance < 0:
                    continue
                if reach is not None and distance >= reach:
                    continue
                mask[b, i, j] = True
    return mask


# %% numpy: NumPy, with the distance of each pair.
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    distance = np.subtract.outer(np.arange(n_queries) + n_keys - n_queries, np.arange(n_keys))
    low = 0 if causal else -(10**9)
    high = 10**9 if reach is None else reach
    inside = (distance >= low) & (distance < high)
    lengths = np.array([n_keys]) if lengths is None else np.asarray(lengths)
    real = np.arange(n_keys) < lengths[:, None]
    return inside[None] & real[:, None, :]


# %% triangles: Triangles of ones, with the diagonal moved.
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
