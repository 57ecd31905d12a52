"""a NADE with one c for all positions, the first"""
# loses: written, values, short
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[0] + terms.cumsum(1) - terms)
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)
