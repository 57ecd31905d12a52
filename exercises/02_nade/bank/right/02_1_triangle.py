"""Both sums as products with a triangle of ones."""
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    columns = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    strict = torch.ones(time, time, dtype=V.dtype).tril(-1)
    hidden = torch.sigmoid(c[:time] + torch.einsum("ts,bsk->btk", strict, columns))
    written = torch.einsum("sdk,bsk->bsd", W[:time], hidden)
    return b[:time] + torch.einsum("ts,bsd->btd", strict + torch.eye(time, dtype=V.dtype), written)
