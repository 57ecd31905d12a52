# question 09.6
# wrong: queries and keys are each counted from their own first position
# differs: query at 10, key at 3: the distance 0 instead of 7
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions - query_positions.min(), base)
    key = rotate(key[:, None], key_positions - key_positions.min(), base)
    return (query @ key.transpose(2, 3)).squeeze(1)
