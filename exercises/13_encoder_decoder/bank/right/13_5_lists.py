"""Lists of words, one row at a time."""


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
