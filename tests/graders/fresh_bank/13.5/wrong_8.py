# question 13.5
# wrong: scores are turned into float32 probabilities first, where different scores can be equal
# differs: float64 scores [[0.0, 1e-9, -1.0]] (or float32 scores [[0.0, 1e-8]]): token 0 instead of 1
def translate(next_scores, n, start, end, most):
    prefixes = torch.full((n, 1), start, dtype=torch.long)
    over = torch.zeros(n, dtype=torch.bool)
    words = [[] for _ in range(n)]
    for _ in range(most):
        if over.all():
            break
        probs = next_scores(prefixes).float().softmax(dim=1)
        chosen = probs.argmax(dim=1)
        chosen = torch.where(over, end, chosen)
        over = over | (chosen == end)
        for row, word, done in zip(words, chosen.tolist(), over.tolist()):
            if not done:
                row.append(word)
        prefixes = torch.cat([prefixes, chosen[:, None]], dim=1)
    return words
