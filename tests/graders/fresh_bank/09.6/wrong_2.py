# question 09.6
# wrong: positions are made float32 before they are subtracted
# differs: positions 4e15 and 4e15 + 1: the distance is 0
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions.float() - first.float(), base)
    key = rotate(key[:, None], key_positions.float() - first.float(), base)
    return (query @ key.transpose(2, 3)).squeeze(1)
