"""tokens that became floating-point numbers, which no embedding takes"""
# loses: windows
def history_windows(tokens, history, start):
    batch, time = tokens.shape
    windows = torch.full((batch, time, history), float(start))
    for t in range(time):
        for k in range(history):
            if t - history + k >= 0:
                windows[:, t, k] = tokens[:, t - history + k].float()
    return windows
