# question 09.4
# wrong: the table of rows is kept for a number of queries and keys, whatever start and c are
# differs: a call with start 0 and then one with start 2 and the same shapes: the second has the distances of the first
_rows = {}


def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    size = (query.shape[1], n_keys, len(vectors))
    if size not in _rows:
        i = start + torch.arange(query.shape[1])[:, None]
        j = torch.arange(n_keys)
        _rows[size] = c + (j - i).clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[_rows[size]])
    return products / math.sqrt(query.shape[2])
