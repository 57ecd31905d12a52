"""Query by query and key by key."""


def relative_bias(query, vectors, n_keys, start=0):
    c = (vectors.shape[0] - 1) // 2
    rows = []
    for i in range(query.shape[1]):
        row = []
        for j in range(n_keys):
            distance = min(c, max(-c, j - (start + i)))
            row.append(query[:, i] @ vectors[c + distance] / query.shape[-1] ** 0.5)
        rows.append(torch.stack(row, 1))
    return torch.stack(rows, 1)
