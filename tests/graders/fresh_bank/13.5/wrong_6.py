# question 13.5
# wrong: rows that have ended are fed the token 0 and not the end token
# differs: start 2, end 1, two rows of which one ends first: prefixes with 0 behind the 1; right if the end token is 0
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    for _ in range(most):
        if over.all():
            break
        chosen = next_scores(prefixes).argmax(dim=1).masked_fill(over, 0)
        ends = ~over & (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), (over | ends).tolist()):
            if not done:
                row.append(word)
        over = over | ends
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
