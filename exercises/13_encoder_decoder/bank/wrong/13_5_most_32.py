"""room for 32 words"""


# loses: words, calls, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 33), end)
    prefix[:, 0] = start
    done = torch.zeros(n, dtype=torch.bool)
    for t in range(min(most, 32)):
        if done.all():
            break
        w = torch.where(done, end, next_scores(prefix[:, : t + 1]).argmax(1))
        done |= w == end
        prefix[:, t + 1] = w
        stop = t + 2
    if most == 0:
        return [[] for _ in range(n)]
    rows = prefix[:, 1:stop].tolist()
    return [r[: r.index(end)] if end in r else r for r in rows]
