# question 09.6
# wrong: the exact subtraction is only used beyond 1e12, below it angles are float32
# differs: positions near 1e9, up to 999 apart
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    if first < 10**12:
        first = first.float()
        query_positions, key_positions = query_positions.float(), key_positions.float()
    query = rotate(query[:, None], query_positions - first, base)
    key = rotate(key[:, None], key_positions - first, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
