"""One sequence, with embedding bags for columns, mapped over the batch."""
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    V, c, W, b = (parameter[:time] for parameter in (V, c, W, b))
    before = torch.arange(time) < torch.arange(time).unsqueeze(1)

    def of_one(row):
        columns = torch.take_along_dim(V, row[:, None, None], dim=2).squeeze(2)
        hidden = torch.special.expit(c + before.to(V.dtype) @ columns)
        return b + (W @ hidden.unsqueeze(2)).squeeze(2).cumsum(dim=0)

    return torch.func.vmap(of_one)(tokens)
