"""one list for all rows"""


# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = [False] * n
    rows = [[]] * n
    for _ in range(most):
        if all(ended):
            break
        scores = next_scores(prefix)
        best = (
            (scores == scores.amax(1, keepdim=True)).int().argmax(1).tolist()
        )
        for i in range(n):
            best[i] = end if ended[i] else best[i]
            ended[i] = ended[i] or best[i] == end
            if not ended[i]:
                rows[i].append(best[i])
        prefix = torch.cat([prefix, torch.tensor(best)[:, None]], dim=1)
    return rows
