"""windows that end with the very token to be predicted"""
# loses: tokens, start, windows, edges
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
    windows = [padded[:, t + 1 : t + 1 + history] for t in range(tokens.shape[1])]
    return torch.stack(windows, dim=1)
