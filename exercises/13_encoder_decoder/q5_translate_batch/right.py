"""Right answers to question 13.5."""


# %% lists: Lists of words, one row at a time.
def translate(next_scores, n, start, end, most):
    prefix, over = [[start] for _ in range(n)], [False] * n
    while len(prefix[0]) <= most and not all(over):
        scores = next_scores(torch.tensor(prefix))
        for i in range(n):
            best = min(range(scores.shape[1]), key=lambda k: (-scores[i, k].item(), k))
            prefix[i].append(end if over[i] else best)
            over[i] = over[i] or prefix[i][-1] == end
    found = []
    for row in prefix:
        words = row[1:]
        found.append(words[: words.index(end)] if end in words else words)
    return found


# %% numpy: NumPy's argmax, which takes the first.
def translate(next_scores, n, start, end, most):
    rows, alive = [[] for _ in range(n)], list(range(n))
    prefix = np.full((n, 1), start)
    for _ in range(most):
        scores = next_scores(torch.from_numpy(prefix)).detach().numpy()
        words = np.full(n, end)
        words[alive] = scores[alive].argmax(1)
        alive = [i for i in alive if words[i] != end]
        for i in alive:
            rows[i].append(int(words[i]))
        prefix = np.concatenate([prefix, words[:, None]], axis=1)
        if not alive:
            break
    return rows


# %% recursive: A recursion over the steps.
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
