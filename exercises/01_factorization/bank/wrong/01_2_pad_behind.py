"""padding behind the sequence instead of in front of it"""
# loses: tokens, start, windows, edges
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (0, history), value=start)
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1)
