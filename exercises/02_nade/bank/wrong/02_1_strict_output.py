"""scores that lack the hidden layer of their own position: s < t in the second sum"""
# loses: first, written, values, short
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    terms = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    written = torch.einsum("tdk,btk->btd", W[:time], hidden)
    return b[:time] + written.cumsum(1) - written
