"""the base 10000, whatever `base` is"""


# loses: bases
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions[0]).double())
    k = rotate(key[:, None], (key_positions - query_positions[0]).double())
    return (q @ k.transpose(-1, -2))[:, 0]
