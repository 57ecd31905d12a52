"""Positions, as several questions draw them."""

import numpy as np
import torch


def places(rng, n, farthest=300.0):
    """Positions in any order, whole ones and others, 0 and negative ones among them."""
    drawn = rng.uniform(-farthest / 3, farthest, n)
    drawn[::2] = np.floor(drawn[::2])
    if n > 1:
        drawn[rng.integers(n)] = 0.0
    return torch.from_numpy(drawn.astype(np.float32))
