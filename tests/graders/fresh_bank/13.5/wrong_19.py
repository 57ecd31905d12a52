# question 13.5
# wrong: scores that differ by less than 1e-6 count as equal
# differs: scores [[0, 1e-7]]: token 0 instead of 1
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    for _ in range(most):
        if over.all():
            break
        scores = next_scores(prefixes).detach()
        near = scores >= scores.amax(dim=1, keepdim=True) - 1e-6
        chosen = near.int().argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
