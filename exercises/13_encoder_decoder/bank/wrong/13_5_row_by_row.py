"""rows that are translated one after the other, each with calls of its own"""


# loses: calls
def translate(next_scores, n, start, end, most):
    rows = []
    for i in range(n):
        prefix = [start]
        while len(prefix) <= most:
            scores = next_scores(torch.tensor([prefix] * n))[i]
            best = int((scores == scores.max()).int().argmax())
            if best == end:
                break
            prefix.append(best)
        rows.append(prefix[1:])
    return rows
