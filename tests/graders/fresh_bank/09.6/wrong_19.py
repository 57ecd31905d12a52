# question 09.6
# wrong: the rates of an earlier call are used again for the same width, whatever the base
# differs: first base 10000, then base 100, with the same d_head
_base = {}


def far_scores(query, key, query_positions, key_positions, base=10000.0):
    # whole numbers are subtracted exactly, and distances are all that counts
    base = _base.setdefault(query.shape[2], base)
    first = torch.minimum(query_positions.min(), key_positions.min())
    query = rotate(query[:, None], query_positions - first, base)
    key = rotate(key[:, None], key_positions - first, base)
    return (query @ key.transpose(2, 3)).squeeze(1)
