# question 13.5
# wrong: the start token of the prefix counts as an end if both are the same token
# differs: start = end = 0, a row that takes 2, 0: [] and no call instead of [2] and two calls
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    words = [[] for _ in range(n)]
    for _ in range(most):
        over = (prefixes == end).any(dim=1)
        if over.all():
            break
        chosen = next_scores(prefixes).argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        for row, word in zip(words, chosen.tolist()):
            if word != end:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
