# question 09.6
# wrong: positions are taken modulo 1,000
# differs: query at 1,001, key at 999: 1 and 999 instead of 2 apart
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions % 1000, base)
    key = rotate(key[:, None], key_positions % 1000, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
