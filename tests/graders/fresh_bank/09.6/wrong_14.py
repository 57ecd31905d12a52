# question 09.6
# wrong: positions are made int32, which wraps, before they are subtracted
# differs: query at 2**31 - 2 and key at 2**31 + 5: four billion apart instead of 7
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions.int().double(), base)
    key = rotate(key[:, None], key_positions.int().double(), base)
    return (query @ key.transpose(2, 3)).squeeze(1)
