"""Plain lists, each token taken in turn until the sum is reached."""


def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    result = []
    for row in logits.tolist():
        top = max(row)
        weights = {i: math.exp((z - top) / temperature) for i, z in enumerate(row)}
        order = sorted(weights, key=weights.get, reverse=True)
        if top_k is not None:
            order = order[:top_k]
        whole = math.fsum(weights[i] for i in order)
        kept, reached = {}, 0.0
        for i in order:
            if top_p is not None and reached >= top_p * whole:
                break
            kept[i] = weights[i]
            reached += weights[i]
        result.append([kept.get(i, 0.0) / reached for i in range(len(row))])
    return torch.tensor(result, dtype=torch.float64)
