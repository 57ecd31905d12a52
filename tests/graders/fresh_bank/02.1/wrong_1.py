# question 02.1
# wrong: the sum over the hidden layers is strict too
# differs: batch 1, time 1: scores are b[0] alone
def nade_scores(tokens, V, c, W, b):
    batch, time = tokens.shape
    seen = V.new_zeros(batch, V.shape[1])
    said = W.new_zeros(batch, W.shape[1])
    scores = []
    for t in range(time):
        h = (c[t] + seen).sigmoid()
        scores.append(b[t] + said)
        said = said + h @ W[t].T
        seen = seen + V[t].T[tokens[:, t]]
    return torch.stack(scores, dim=1)
