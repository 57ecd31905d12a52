# question 09.4
# wrong: the caller's vectors are divided by the root of d_head in place
# differs: d_head 4: after the call the vectors are half as large (and a second call gives half)
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    vectors.data.div_(math.sqrt(query.shape[2]))
    i = start + torch.arange(query.shape[1])[:, None]
    j = torch.arange(n_keys)
    rows = c + (j - i).clamp(-c, c)
    return torch.einsum("bqd,qkd->bqk", query, vectors[rows])
