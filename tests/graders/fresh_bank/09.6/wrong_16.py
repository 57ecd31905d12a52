# question 09.6
# wrong: the positions are counted from the first query, and the key's distance is capped at 512
# differs: query at 0, key at 700
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    key_positions = torch.minimum(key_positions, first + 512)
    query = rotate(query[:, None], query_positions - first, base)
    key = rotate(key[:, None], key_positions - first, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
