"""a hidden layer that reads its own target: s <= t in the first sum"""
# loses: first, causal, values, short
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1))
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)
