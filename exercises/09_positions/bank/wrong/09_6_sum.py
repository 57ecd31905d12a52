"""angles that add up in the score"""


# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions[0]).double(), base)
    k = rotate(key[:, None], (query_positions[0] - key_positions).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
