"""a squeeze() that also removes the batch of one and the time of one"""
# loses: first, causal, written, values, short
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    return (b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)).squeeze()
