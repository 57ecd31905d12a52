# question 09.6
# wrong: the base is not passed on
# differs: base = 100
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions - first)
    key = rotate(key[:, None], key_positions - first)
    return (query @ key.transpose(2, 3)).squeeze(1)
