"""An index for every place of every window."""
def history_windows(tokens, history, start):
    time = tokens.shape[1]
    place = torch.arange(time)[:, None] + torch.arange(history)[None, :]
    padded = torch.cat([tokens.new_full((len(tokens), history), start), tokens], dim=1)
    return padded[:, place]
