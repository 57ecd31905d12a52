"""NumPy, with the distance of each pair."""


def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    distance = np.subtract.outer(np.arange(n_queries) + n_keys - n_queries, np.arange(n_keys))
    low = 0 if causal else -(10**9)
    high = 10**9 if reach is None else reach
    inside = (distance >= low) & (distance < high)
    lengths = np.array([n_keys]) if lengths is None else np.asarray(lengths)
    real = np.arange(n_keys) < lengths[:, None]
    return inside[None] & real[:, None, :]
