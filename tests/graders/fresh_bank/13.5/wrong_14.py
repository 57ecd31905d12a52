# question 13.5
# wrong: no translation is longer than 100 words
# differs: most 150, a decoder that never ends: 100 words instead of 150
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    for _ in range(most):
        if over.all():
            break
        if prefixes.shape[1] > 100:
            break
        chosen = next_scores(prefixes).argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
