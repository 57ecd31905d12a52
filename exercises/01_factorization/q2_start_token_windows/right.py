"""Right answers to question 01.2."""


# %% index: An index for every place of every window.
def history_windows(tokens, history, start):
    time = tokens.shape[1]
    place = torch.arange(time)[:, None] + torch.arange(history)[None, :]
    padded = torch.cat([tokens.new_full((len(tokens), history), start), tokens], dim=1)
    return padded[:, place]


# %% lists: Python lists, converted at the end.
def history_windows(tokens, history, start):
    rows = []
    for row in tokens.tolist():
        padded = [start] * history + row
        rows.append([padded[t : t + history] for t in range(len(row))])
    return torch.tensor(rows, dtype=torch.long).reshape(*tokens.shape, history)


# %% shifts: One column of the windows at a time, filled in place from the youngest to the oldest.
def history_windows(tokens: torch.Tensor, history: int, start: int = 0) -> torch.Tensor:
    columns = tokens.new_empty((history, *tokens.shape))
    shifted = tokens
    for i in reversed(range(history)):
        shifted = torch.cat([torch.full_like(tokens[:, :1], start), shifted[:, :-1]], dim=1)
        columns[i].copy_(shifted)
    return columns.movedim(0, -1)


# %% strided: A view with strides on the padded sequence, copied nowhere.
import functools


def _windows(tokens, history, start, *, dtype):
    batch, time = tokens.shape
    padded = torch.empty(batch, history + time, dtype=dtype).fill_(start)
    padded[:, history:] = tokens
    return padded.as_strided((batch, time, history), (history + time, 1, 1))


history_windows = functools.partial(_windows, dtype=torch.int32)


# %% unfold: The padded sequence unfolded.
def history_windows(tokens, history, start):
    padded = torch.nn.functional.pad(tokens, (history, 0), value=start)
    return padded.unfold(1, history, 1)[:, :-1]
