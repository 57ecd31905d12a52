"""the end token among equal scores"""


# loses: ties
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    done = torch.zeros(n, dtype=torch.bool)
    while prefix.shape[1] <= most and not done.all():
        s = next_scores(prefix)
        done |= s[:, end] >= s.max(1).values
        w = torch.where(done, end, s.argmax(1))
        prefix = torch.cat([prefix, w[:, None]], 1)
    rows = prefix[:, 1:].tolist()
    return [r[: r.index(end)] if end in r else r for r in rows]
