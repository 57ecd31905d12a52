# question 13.5
# wrong: the lists of words are kept between calls as a default argument
# differs: the second of two calls: its words come behind those of the first
def translate(next_scores, n, start, end, most, words=[]):
    while len(words) < n:
        words.append([])
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if over.all():
            break
        chosen = next_scores(prefixes).argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words[:n]
