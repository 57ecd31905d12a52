# question 13.5
# wrong: the first word is always taken, even if `most` is 0
# differs: most 0: one call and one word
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    while True:
        chosen = next_scores(prefixes).argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
        if over.all() or prefixes.shape[1] > most:
            return words
