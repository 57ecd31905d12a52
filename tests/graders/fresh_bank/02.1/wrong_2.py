# question 02.1
# wrong: the sum over the tokens includes the token that is to be predicted
# differs: batch 1, time 1, V random: the scores change with tokens[0, 0]
def nade_scores(tokens, V, c, W, b):
    """The scores f_t of every position; those at t predict tokens[:, t]."""
    time = tokens.shape[1]
    places = torch.arange(time)
    read = V[places, :, tokens]                          # (batch, time, k)
    before = torch.cat([torch.zeros_like(read[:, :1]), read[:, :-1]], dim=1)
    h = torch.sigmoid(c[:time] + read.cumsum(dim=1))
    written = torch.einsum("tdk,btk->btd", W[:time], h)
    return b[:time] + written.cumsum(dim=1)
