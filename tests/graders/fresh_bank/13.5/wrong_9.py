# question 13.5
# wrong: the end token is forced on rows that have ended by writing into the decoder's scores
# differs: a decoder that returns the same scores tensor each time: it is changed after the call (and a leaf that requires a gradient fails)
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    for _ in range(most):
        if over.all():
            break
        scores = next_scores(prefixes).detach()
        scores[over] = -math.inf
        scores[over, end] = 0.0
        chosen = scores.argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
