# question 09.6
# wrong: features are paired half and half, not neighbors
# differs: d_head = 4, distance 1
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    d = query.shape[2]
    order = torch.arange(d).reshape(2, -1).T.flatten()
    query, key = query[..., order], key[..., order]
    query = rotate(query[:, None], query_positions - first, base)
    key = rotate(key[:, None], key_positions - first, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
