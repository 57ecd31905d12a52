"""A recursion over the steps."""


def translate(next_scores, n, start, end, most):
    def go(prefix, ended):
        if prefix.shape[1] > most or bool(ended.all()):
            return prefix
        scores = next_scores(prefix)
        place = torch.arange(scores.shape[1]).expand_as(scores)
        top = scores == scores.max(1, keepdim=True).values
        best = place.masked_fill(~top, scores.shape[1]).min(1).values
        best[ended] = end
        return go(torch.hstack([prefix, best[:, None]]), ended | (best == end))

    found = go(torch.full((n, 1), start), torch.zeros(n, dtype=torch.bool))
    rows = []
    for row in found[:, 1:].tolist():
        rows.append([])
        for word in row:
            if word == end:
                break
            rows[-1].append(word)
    return rows
