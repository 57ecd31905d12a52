"""Keys turned by their distance, one query at a time."""


def far_scores(query, key, query_positions, key_positions, base=10000.0):
    columns = []
    for i in range(query.shape[1]):
        distance = (key_positions - query_positions[i]).float()
        moved = rotate(key[:, None], distance, base)[:, 0]
        columns.append((moved * query[:, i : i + 1]).sum(-1))
    return torch.stack(columns, 1)
