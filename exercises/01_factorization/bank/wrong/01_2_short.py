"""windows that assume a history shorter than the sequence and longer than nothing"""
# loses: edges
def history_windows(tokens, history, start):
    time = tokens.shape[1]
    history_kept = min(max(history, 1), time)
    padded = torch.nn.functional.pad(tokens, (history_kept, 0), value=start)
    return torch.stack([padded[:, t : t + history_kept] for t in range(time)], dim=1)
