"""a short sequence that uses the last parameters instead of the first"""
# loses: first, short
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    V, c, W, b = V[-time:], c[-time:], W[-time:], b[-time:]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c + terms.cumsum(1) - terms)
    return b + torch.einsum("tdk,btk->btd", W, hidden).cumsum(1)
