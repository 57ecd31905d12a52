# question 09.6
# wrong: distances are made bfloat16, which is exact to 256 only
# differs: positions 0, 300 and 301
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], (query_positions - first).bfloat16(), base)
    key = rotate(key[:, None], (key_positions - first).bfloat16(), base)
    return (query @ key.transpose(2, 3)).squeeze(1)
