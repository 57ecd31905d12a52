"""A view with strides on the padded sequence, copied nowhere."""
import functools


def _windows(tokens, history, start, *, dtype):
    batch, time = tokens.shape
    padded = torch.empty(batch, history + time, dtype=dtype).fill_(start)
    padded[:, history:] = tokens
    return padded.as_strided((batch, time, history), (history + time, 1, 1))


history_windows = functools.partial(_windows, dtype=torch.int32)
