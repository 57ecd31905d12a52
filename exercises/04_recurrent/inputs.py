"""The LSTM and its matrices, and other things that several questions share."""

import numpy as np
import torch

FUSED = ("torch.nn.LSTM", "torch.nn.LSTMCell", "torch.lstm", "torch.lstm_cell")


def whole(rng, low, high, *shape):
    """Whole numbers from low to high, in float32."""
    return torch.from_numpy(rng.integers(low, high + 1, shape).astype(np.float32))


MATRICES = ("ch", "cx", "ih", "ix", "fh", "fx", "oh", "ox")


def lstm(x, W, state=None, tanh=False):
    """The inputs' parts of all sums first, in float64."""
    batch, time, _ = x.shape
    d = len(W["ch"])
    own = torch.cat([W[gate + "h"] for gate in "cifo"]).double().mT
    written = x.double() @ torch.cat([W[gate + "x"] for gate in "cifo"]).double().mT
    zeros = torch.zeros(batch, d, dtype=torch.float64)
    h, c = (zeros, zeros) if state is None else (part.double() for part in state)
    outputs = [torch.zeros(batch, 0, d, dtype=torch.float64)]
    for t in range(time):
        sums = written[:, t] + h @ own
        enter, forget, show = sums[:, d:].sigmoid().chunk(3, 1)
        c = enter * (sums[:, :d].tanh() if tanh else sums[:, :d].sigmoid()) + forget * c
        h = show * (c.tanh() if tanh else c.sigmoid())
        outputs.append(h[:, None])
    return torch.cat(outputs, 1), (h, c)
