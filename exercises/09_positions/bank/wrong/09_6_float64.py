"""positions in float64"""


# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], query_positions.double(), base)
    k = rotate(key[:, None], key_positions.double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
