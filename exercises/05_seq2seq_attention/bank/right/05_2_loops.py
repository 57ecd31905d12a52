"""One query and one key at a time."""


def additive_attention(query, keys, lengths, W_query, W_key, v):
    contexts, weights = [], []
    for b in range(len(query)):
        n = int(lengths[b])
        projected = keys[b, :n] @ W_key.T
        for q in query[b]:
            scores = torch.tanh(W_query @ q + projected) @ v
            w = torch.softmax(scores, 0)
            contexts.append(w @ keys[b, :n])
            weights.append(F.pad(w, (0, keys.shape[1] - n)))
    batch, steps = query.shape[:2]
    return (
        torch.stack(contexts).reshape(batch, steps, -1),
        torch.stack(weights).reshape(batch, steps, -1),
    )
