# question 02.1
# wrong: the hidden layer does not accumulate: it reads only the token just before
# differs: time 3, random V
def nade_scores(tokens, V, c, W, b):
    """The scores f_t of every position; those at t predict tokens[:, t]."""
    time = tokens.shape[1]
    places = torch.arange(time)
    read = V[places, :, tokens]                          # (batch, time, k)
    before = torch.cat([torch.zeros_like(read[:, :1]), read[:, :-1]], dim=1)
    h = torch.sigmoid(c[:time] + before)
    written = torch.einsum("tdk,btk->btd", W[:time], h)
    return b[:time] + written.cumsum(dim=1)
