"""Named mistakes in question 01.2."""


# %% bytes: tokens kept in bytes: those beyond 255 become others
# loses: tokens, start, windows
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start) % 256
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1)


# %% cut_at_128: windows of 128 tokens at most, however long the history is
# loses: edges
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
    windows = [padded[:, t : t + history] for t in range(tokens.shape[1])]
    return torch.stack(windows, dim=1)[:, :, -128:]


# %% float: tokens that became floating-point numbers, which no embedding takes
# loses: windows
def history_windows(tokens, history, start):
    batch, time = tokens.shape
    windows = torch.full((batch, time, history), float(start))
    for t in range(time):
        for k in range(history):
            if t - history + k >= 0:
                windows[:, t, k] = tokens[:, t - history + k].float()
    return windows


# %% newest_first: windows with the newest token first
# loses: windows
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1).flip(-1)


# %% pad_behind: padding behind the sequence instead of in front of it
# loses: tokens, start, windows, edges
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (0, history), value=start)
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1)


# %% peek: windows that end with the very token to be predicted
# loses: tokens, start, windows, edges
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
    windows = [padded[:, t + 1 : t + 1 + history] for t in range(tokens.shape[1])]
    return torch.stack(windows, dim=1)


# %% remembered: windows remembered by shape: a second batch of the same shape gets those of the first
# loses: tokens, windows
_known = {}


def history_windows(tokens, history, start):
    key = (tokens.shape, history, start)
    if key not in _known:
        padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
        _known[key] = padded.unfold(1, history, 1)[:, :-1]
    return _known[key]


# %% short: windows that assume a history shorter than the sequence and longer than nothing
# loses: edges
def history_windows(tokens, history, start):
    time = tokens.shape[1]
    history_kept = min(max(history, 1), time)
    padded = torch.nn.functional.pad(tokens, (history_kept, 0), value=start)
    return torch.stack([padded[:, t : t + history_kept] for t in range(time)], dim=1)


# %% zero: padding with token 0 instead of the start token
# loses: start, windows, edges
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0))
    return torch.stack([padded[:, t : t + history] for t in range(tokens.shape[1])], dim=1)
