# question 13.5
# wrong: the end token is not counted in `most`, so there is one call more
# differs: most 2, a row that takes 3, 4, 1 (the end): three calls instead of two
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    while not over.all():
        chosen = next_scores(prefixes).argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        if max(len(row) for row in words) > most:
            words = [row[:most] for row in words]
            break
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
