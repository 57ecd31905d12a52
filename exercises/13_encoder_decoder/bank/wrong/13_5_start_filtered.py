"""translations from which every start token is removed"""


# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    rows = [row[: row.index(end)] if end in row else row for row in rows]
    return [[word for word in row if word != start] for row in rows]
