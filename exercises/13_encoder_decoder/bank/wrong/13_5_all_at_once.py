"""a loop that ends only if the decoder proposes the end in all rows at once"""


# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        best = next_scores(prefix).argmax(1)
        is_done = bool((best == end).all())
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
        if is_done:
            break
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]
