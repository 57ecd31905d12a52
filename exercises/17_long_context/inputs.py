"""What several questions on long texts draw."""

import numpy as np
import torch


def codes(rng, rows, width, bits):
    """Vectors that round to known codes: no number is near the middle of two, and the largest is a code."""
    most = 2 ** (bits - 1) - 1
    x = rng.integers(-most, most + 1, (rows, width)) + rng.uniform(-0.4, 0.4, (rows, width))
    x = np.clip(x, -most, most)
    x[np.arange(rows), rng.integers(0, width, rows)] = most * rng.choice([-1.0, 1.0], rows)
    step = np.exp(rng.uniform(-2, 2, (rows, 1)))
    return torch.from_numpy((step * x).astype(np.float32))
