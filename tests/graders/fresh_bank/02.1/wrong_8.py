# question 02.1
# wrong: the sums are clamped to the range from -8 to 8, which changes the sigmoid and stops gradients beyond
# differs: c = -1000 and W of 100: the scores are b + 0.03 instead of b
def nade_scores(tokens, V, c, W, b):
    """The scores f_t of every position; those at t predict tokens[:, t]."""
    time = tokens.shape[1]
    places = torch.arange(time)
    read = V[places, :, tokens]                          # (batch, time, k)
    before = torch.cat([torch.zeros_like(read[:, :1]), read[:, :-1]], dim=1)
    h = torch.sigmoid((c[:time] + before.cumsum(dim=1)).clamp(-8, 8))
    written = torch.einsum("tdk,btk->btd", W[:time], h)
    return b[:time] + written.cumsum(dim=1)
