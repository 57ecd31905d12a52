"""no list for any row where no word is asked for"""


# loses: nothing
def translate(next_scores, n, start, end, most):
    prefix, columns = torch.full((n, 1), start), []
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        columns.append(best.tolist())
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = [list(row) for row in zip(*columns)]
    return [row[: row.index(end)] if end in row else row for row in rows]
