"""padding with token 0 instead of the start token"""
# loses: start, windows, edges
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0))
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1)
