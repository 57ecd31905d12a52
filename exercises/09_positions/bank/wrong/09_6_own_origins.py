"""an origin of its own for queries and for keys"""


# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions[0]).double(), base)
    k = rotate(key[:, None], (key_positions - key_positions[0]).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
