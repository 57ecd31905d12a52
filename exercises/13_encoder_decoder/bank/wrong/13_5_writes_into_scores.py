"""the decoder's scores overwritten"""
# loses: ends
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        scores[ended] = -float("inf")
        scores[ended, end] = 0.0
        best = scores.argmax(1)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]
