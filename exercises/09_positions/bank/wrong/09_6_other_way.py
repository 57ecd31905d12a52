"""distances with the other sign, the key's position minus the query's"""


# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (key_positions[0] - query_positions).double(), base)
    k = rotate(key[:, None], (key_positions[0] - key_positions).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
