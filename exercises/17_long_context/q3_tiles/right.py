"""Right answers to question 17.3."""


# %% logs: The logarithm of the sum carried instead of maximum and sum.
def attend(query, tiles):
    query = query.double() / query.shape[1] ** 0.5
    logs, mixed = None, None
    for key, value in tiles:
        scores = query @ key.double().T
        new = scores.logsumexp(dim=1)
        here = (scores - new[:, None]).exp() @ value.double()
        if logs is None:
            logs, mixed = new, here
        else:
            both = torch.logaddexp(logs, new)
            mixed = (logs - both).exp()[:, None] * mixed + (new - both).exp()[:, None] * here
            logs = both
    return mixed


# %% finished: The output divided after each tile.
def attend(query, tiles):
    most = torch.full((len(query), 1), -torch.inf, dtype=torch.float64)
    total, output = torch.zeros_like(most), 0.0
    for key, value in tiles:
        scores = query.double() @ key.double().T / math.sqrt(query.shape[1])
        new = torch.maximum(most, scores.max(dim=1, keepdim=True).values)
        weights = torch.exp(scores - new)
        before = torch.exp(most - new) * total
        total = before + weights.sum(dim=1, keepdim=True)
        output = (before * output + weights @ value.double()) / total
        most = new
    return output


# %% rows: One query and one key after the other, in NumPy.
def attend(query, tiles):
    n = len(query)
    most, total, mixed = [-math.inf] * n, [0.0] * n, [0.0] * n
    for key, value in tiles:
        key, value = key.numpy().astype(float), value.numpy().astype(float)
        for i in range(n):
            for k, v in zip(key, value):
                score = float(query[i].numpy().astype(float) @ k) / math.sqrt(len(k))
                new = max(most[i], score)
                shrink, weight = math.exp(most[i] - new), math.exp(score - new)
                total[i] = shrink * total[i] + weight
                mixed[i] = shrink * mixed[i] + weight * v
                most[i] = new
    return np.stack([m / t for m, t in zip(mixed, total)])


# %% copied: Copies of all tiles, and one softmax.
def attend(query, tiles):
    pairs = [(key.clone(), value.clone()) for key, value in tiles]
    keys, values = torch.cat([k for k, _ in pairs]), torch.cat([v for _, v in pairs])
    scores = query.double() @ keys.double().T / query.shape[1] ** 0.5
    return torch.softmax(scores, dim=1) @ values.double()
