# question 02.1
# wrong: the sigmoid by hand is inf / inf for sums of +1000
# differs: time 1, c = 1000
def nade_scores(tokens, V, c, W, b):
    batch, time = tokens.shape
    seen = V.new_zeros(batch, V.shape[1])
    said = W.new_zeros(batch, W.shape[1])
    scores = []
    for t in range(time):
        e = (c[t] + seen).exp()
        h = e / (1 + e)
        said = said + h @ W[t].T
        scores.append(b[t] + said)
        seen = seen + V[t].T[tokens[:, t]]
    return torch.stack(scores, dim=1)
