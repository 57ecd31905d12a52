# question 09.6
# wrong: the positions are rotated as they are: float64 angles at 1e15 are off
# differs: positions near 4e15, up to 999 apart
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions, base)
    key = rotate(key[:, None], key_positions, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
