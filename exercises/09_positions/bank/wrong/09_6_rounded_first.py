"""positions subtracted after they were made float32"""


# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], query_positions.float() - query_positions.float()[0], base)
    k = rotate(key[:, None], key_positions.float() - query_positions.float()[0], base)
    return (q @ k.transpose(-1, -2))[:, 0]
