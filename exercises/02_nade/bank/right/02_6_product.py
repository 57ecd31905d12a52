"""itertools, one sequence after another, in float64."""


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
