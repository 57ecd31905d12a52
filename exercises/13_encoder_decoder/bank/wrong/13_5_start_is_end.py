"""rows that are over from the start if the start token is the end token"""


# loses: ends, calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = prefix[:, 0] == end
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]
