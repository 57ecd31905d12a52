"""NumPy inside, in float64."""
import numpy as np


def nade_scores(tokens, V, c, W, b):
    tokens, V, c, W, b = (a.numpy().astype(np.float64 if a.is_floating_point() else int) for a in (tokens, V, c, W, b))
    time = tokens.shape[1]
    columns = V[np.arange(time), :, tokens]
    read = np.concatenate([np.zeros_like(columns[:, :1]), columns.cumsum(1)[:, :-1]], axis=1)
    hidden = 1 / (1 + np.exp(-(c[:time] + read)))
    written = np.matmul(W[:time], hidden[..., None])[..., 0]
    return torch.as_tensor(b[:time] + written.cumsum(1))
