"""all completions as if they were equally probable"""


# loses: tail, marginals, improbable
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return rows_of(tokens, known, V, c, W, b)[1].logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = torch.full_like(log_probs, 1 / len(log_probs))
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)
