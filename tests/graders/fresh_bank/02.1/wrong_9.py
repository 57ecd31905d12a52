# question 02.1
# wrong: scores are written into a float32 tensor, also for float64 parameters
# differs: float64 parameters: the result is float32
def nade_scores(tokens, V, c, W, b):
    batch, time = tokens.shape
    seen = V.new_zeros(batch, V.shape[1])
    said = W.new_zeros(batch, W.shape[1])
    scores = torch.zeros(batch, time, W.shape[1])
    for t in range(time):
        h = (c[t] + seen).sigmoid()
        said = said + h @ W[t].T
        scores[:, t] = b[t] + said
        seen = seen + V[t].T[tokens[:, t]]
    return scores
