# question 13.5
# wrong: squeeze removes the vocabulary if it has one token, and the argmax goes over the rows
# differs: n = 2, scores [[0.0], [1.0]], start and end 0: the token 1 for both rows instead of the token 0, which ends them
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    for _ in range(most):
        if over.all():
            break
        scores = next_scores(prefixes).squeeze()
        chosen = scores.argmax(dim=-1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
