"""keys turned and queries not"""


# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], torch.zeros(query.shape[1]), base)
    k = rotate(key[:, None], (key_positions - query_positions[0]).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
