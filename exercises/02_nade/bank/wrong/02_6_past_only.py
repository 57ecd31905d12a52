"""probabilities from the tokens before each place, as if nothing were known behind it"""


# loses: marginals, improbable
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
    answer = torch.zeros(len(tokens), b.shape[1])
    for t in range(len(tokens)):
        answer[t] = forward(tokens[: t + 1], known[: t + 1], V, c, W, b)
    return answer


def forward(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = log_probs.softmax(0)
    return torch.stack([(weights * (rows[:, -1] == a)).sum() for a in range(b.shape[1])])
