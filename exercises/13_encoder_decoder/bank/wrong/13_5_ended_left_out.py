"""prefixes of the rows that go on alone"""


# loses: ends, calls
def translate(next_scores, n, start, end, most):
    rows = [[] for _ in range(n)]
    alive = list(range(n))
    for _ in range(most):
        if not alive:
            break
        scores = next_scores(torch.tensor([[start] + rows[i] for i in alive]))
        best = (
            (scores == scores.amax(1, keepdim=True)).int().argmax(1).tolist()
        )
        for i, word in zip(alive, best):
            if word != end:
                rows[i].append(word)
        alive = [i for i, word in zip(alive, best) if word != end]
    return rows
