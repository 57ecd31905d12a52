# question 09.6
# wrong: the caller's positions are moved in place
# differs: positions from 4e15 on: they begin at 0 afterwards
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions.sub_(first), base)
    key = rotate(key[:, None], key_positions.sub_(first), base)
    return (query @ key.transpose(2, 3)).squeeze(1)
