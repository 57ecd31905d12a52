"""tokens kept in bytes: those beyond 255 become others"""
# loses: tokens, start, windows
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start) % 256
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1)
