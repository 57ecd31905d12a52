"""the smallest position of the queries as their origin, that of the keys as theirs"""


# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions.min()).double(), base)
    k = rotate(key[:, None], (key_positions - key_positions.min()).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
