"""a W that is transposed where it is square"""
# loses: written, values
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    matrices = W[:time] if W.shape[1] == hidden.shape[-1] else W[:time].mT
    return b[:time] + torch.einsum("tkd,btk->btd", matrices, hidden).cumsum(1)
