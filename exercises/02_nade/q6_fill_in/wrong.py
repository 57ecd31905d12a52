"""Named mistakes in question 02.6."""


# %% a_thousand: no more than a thousand of the completions
# loses: evidence, marginals
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    rows = rows[:1000]
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return rows_of(tokens, known, V, c, W, b)[1].logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    one_hot = torch.nn.functional.one_hot(rows, b.shape[1])
    return (log_probs.softmax(0)[:, None, None] * one_hot).sum(0)


# %% best: the most probable completion in place of all
# loses: evidence, tail, marginals, improbable
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return rows_of(tokens, known, V, c, W, b)[1].max()


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    return torch.nn.functional.one_hot(rows[log_probs.argmax()], b.shape[1]).float()


# %% filler_trusted: the log-probability of the sequence as it stands, with what fills the gaps
# loses: evidence, improbable
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return rows_of(tokens, torch.ones_like(known), V, c, W, b)[1][0]


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = (log_probs - log_probs.logsumexp(0)).exp()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)


# %% log_weights: completions weighted by their log-probabilities
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
    weights = log_probs / log_probs.sum()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)


# %% mean: the mean of the probabilities of all completions, not their sum
# loses: evidence, improbable
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    log_probs = rows_of(tokens, known, V, c, W, b)[1]
    return log_probs.logsumexp(0) - math.log(len(log_probs))


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = (log_probs - log_probs.logsumexp(0)).exp()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)


# %% nothing_known: one of all sequences as the evidence where nothing is known, which is certain
# loses: evidence
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    if not known.any():
        return torch.tensor(-len(tokens) * math.log(b.shape[1]))
    return rows_of(tokens, known, V, c, W, b)[1].logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = (log_probs - log_probs.logsumexp(0)).exp()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)


# %% past_only: probabilities from the tokens before each place, as if nothing were known behind it
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


# %% sign: the negative log-likelihood: the sign is wrong
# loses: known, evidence, improbable
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    log_probs = rows_of(tokens, known, V, c, W, b)[1]
    return -log_probs.logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = (log_probs - log_probs.logsumexp(0)).exp()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)


# %% squeezed: a squeeze() that removes the axis of a single place, or of a single token
# loses: marginals
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
    weights = (log_probs - log_probs.logsumexp(0)).exp()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1).squeeze()


# %% underflow: probabilities of whole sequences, which are zero in floating point
# loses: improbable
def rows_of(tokens, known, V, c, W, b):
    rows = tokens[None]
    for t in range(len(tokens)):
        if not known[t]:
            rows = torch.cat([torch.where(torch.arange(len(tokens)) == t, a, rows) for a in range(b.shape[1])])
    log_probs = nade_scores(rows, V, c, W, b).log_softmax(-1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return rows_of(tokens, known, V, c, W, b)[1].exp().sum().log()


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = rows_of(tokens, known, V, c, W, b)
    weights = log_probs.exp() / log_probs.exp().sum()
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)


# %% unweighted: all completions as if they were equally probable
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
