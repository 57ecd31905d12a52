# question 13.5
# wrong: of equal scores it takes the largest token
# differs: scores [[1, 5, 5]]: 2 instead of 1
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    for _ in range(most):
        if over.all():
            break
        scores = next_scores(prefixes)
        chosen = scores.shape[1] - 1 - scores.flip(1).argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
