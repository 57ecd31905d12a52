"""rows that are fed the start token after their end"""


# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    words = []
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        words.append(best)
        fed = torch.where(ended, start, best)
        prefix = torch.cat([prefix, fed[:, None]], dim=1)
    rows = torch.stack(words, dim=1).tolist() if words else [[]] * n
    return [row[: row.index(end)] if end in row else row for row in rows]
