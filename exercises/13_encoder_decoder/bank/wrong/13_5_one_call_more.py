"""a loop that asks once more after all rows have ended"""


# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        scores = next_scores(prefix)
        if ended.all():
            break
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]
