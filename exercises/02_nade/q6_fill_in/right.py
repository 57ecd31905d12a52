"""Right answers to question 02.6."""


# %% evidences: Each probability is a ratio of two evidences: with the token put in, and without.
def log_evidence(tokens, known, V, c, W, b):
    gaps = (~known).nonzero()[:, 0].tolist()
    if not gaps:
        log_probs = nade_scores(tokens[None], V, c, W, b)[0].log_softmax(-1)
        return log_probs[torch.arange(len(tokens)), tokens].sum()
    place, now_known = gaps[0], known.clone()
    now_known[place] = True
    values = []
    for a in range(b.shape[1]):
        filled = tokens.clone()
        filled[place] = a
        values.append(log_evidence(filled, now_known, V, c, W, b))
    return torch.stack(values).logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    whole = log_evidence(tokens, known, V, c, W, b)
    answer = torch.nn.functional.one_hot(tokens, b.shape[1]).float()
    for place in (~known).nonzero()[:, 0].tolist():
        now_known = known.clone()
        now_known[place] = True
        for a in range(b.shape[1]):
            filled = tokens.clone()
            filled[place] = a
            answer[place, a] = (log_evidence(filled, now_known, V, c, W, b) - whole).exp()
    return answer


# %% grown: The sequences grow by one missing place at a time.
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
    return torch.stack([(weights[:, None] * (rows == a)).sum(0) for a in range(b.shape[1])], 1)


# %% product: itertools, one sequence after another, in float64.
import itertools


def _all(tokens, known, V, c, W, b):
    places = torch.nonzero(~known).flatten().tolist()
    for values in itertools.product(range(b.shape[1]), repeat=len(places)):
        row = tokens.clone()
        for place, value in zip(places, values):
            row[place] = value
        scores = nade_scores(row[None], V.double(), c.double(), W.double(), b.double())[0]
        yield row, float((scores[torch.arange(len(row)), row] - scores.logsumexp(1)).sum())


def log_evidence(tokens, known, V, c, W, b):
    values = [value for _, value in _all(tokens, known, V, c, W, b)]
    largest = max(values)
    return largest + math.log(sum(math.exp(value - largest) for value in values))


def fill_in(tokens, known, V, c, W, b):
    total = log_evidence(tokens, known, V, c, W, b)
    answer = torch.zeros(len(tokens), b.shape[1])
    for row, value in _all(tokens, known, V, c, W, b):
        answer[torch.arange(len(row)), row] += math.exp(value - total)
    return answer
