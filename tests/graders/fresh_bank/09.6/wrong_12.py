# question 09.6
# wrong: the query's rotation is cut out of the graph
# differs: gradient of query is None
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query.detach()[:, None], query_positions - first, base)
    key = rotate(key[:, None], key_positions - first, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
