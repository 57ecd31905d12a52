"""windows with the newest token first"""
# loses: windows
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1).flip(-1)
