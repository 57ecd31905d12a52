# question 02.1
# wrong: V of the place that reads instead of V of the place of the token: c_t + sum of V_t x_s
# differs: time 3, random V
def nade_scores(tokens, V, c, W, b):
    batch, time = tokens.shape
    seen = V.new_zeros(batch, V.shape[1])
    said = W.new_zeros(batch, W.shape[1])
    scores = []
    for t in range(time):
        seen = sum((V[t].T[tokens[:, s]] for s in range(t)), torch.zeros_like(seen))
        h = (c[t] + seen).sigmoid()
        said = said + h @ W[t].T
        scores.append(b[t] + said)
    return torch.stack(scores, dim=1)
