"""The padded sequence unfolded."""
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
    return padded.unfold(1, history, 1)[:, :-1]
