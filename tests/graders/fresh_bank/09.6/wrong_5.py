# question 09.6
# wrong: positions are taken modulo 2**20, wrong only where the texts straddle a multiple of it
# differs: query at 2**20 + 1, key at 2**20 - 1
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions % 2**20, base)
    key = rotate(key[:, None], key_positions % 2**20, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
