"""the positions 0, 1, 2, ... whatever is given"""


# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], torch.arange(len(query_positions)).double(), base)
    k = rotate(key[:, None], torch.arange(len(key_positions)).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
