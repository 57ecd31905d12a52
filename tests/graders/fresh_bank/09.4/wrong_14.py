# question 09.4
# wrong: near positions only: positions are kept in int8, which overflows for texts over a hundred
# differs: start 200, c = 3, keys 0 ... 9: distances wrap around and have the wrong sign
def relative_bias(query, vectors, n_keys, start=0):
    c = len(vectors) // 2
    i = (start + torch.arange(query.shape[1])[:, None]).to(torch.int8)
    j = torch.arange(n_keys).to(torch.int8)
    rows = c + (j - i).long().clamp(-c, c)
    products = torch.einsum("bqd,qkd->bqk", query, vectors[rows])
    return products / math.sqrt(query.shape[2])
