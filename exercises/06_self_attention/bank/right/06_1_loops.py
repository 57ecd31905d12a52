"""One query at a time, over the keys that it may see."""
def attention(query, key, value, allowed=None):
    output = []
    for n in range(query.shape[0]):
        rows = []
        for i in range(query.shape[1]):
            seen = torch.ones(key.shape[1], dtype=torch.bool) if allowed is None else allowed[n, i]
            if not seen.any():
                rows.append(torch.zeros(value.shape[2]))
                continue
            scores = key[n][seen] @ query[n, i] / math.sqrt(query.shape[2])
            rows.append(torch.softmax(scores, dim=0) @ value[n][seen])
        output.append(torch.stack(rows))
    return torch.stack(output)
