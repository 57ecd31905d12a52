"""Positions, as several questions draw them, and sizes with an even width."""

import numpy as np
import torch
from autograder.authoring import sizes


def places(rng, n, farthest=300):
    """Whole positions from 0 on, in any order."""
    return torch.from_numpy(rng.integers(0, farthest, n).astype(np.float32))


def odd_places(rng, n):
    """Positions between two whole ones or below zero, and whole ones."""
    drawn = rng.uniform(-400.0, 400.0, n)
    drawn[1::3] = np.floor(drawn[1::3])
    return torch.from_numpy(drawn.astype(np.float32))


FARTHEST = torch.tensor([998.0, -999.0, 0.0, 999.5, -999.5, 513.0, -513.0])
CLOSEST = torch.tensor([9e-4, -8e-4, 5e-3, 0.0, -9e-4])


def even_sizes(rng, far, **axes):
    """Sizes of these axes, and of an even width behind them; once all of these are equal.

    Where one is far, the others are small.
    """
    axes["half"] = (1, 4)
    for *others, half in sizes(rng, **axes):
        yield *others, 2 * half
    yield (2 * int(rng.integers(1, 3)),) * len(axes)
    for distant, size in far.items():
        small = {name: (1, 2) for name in axes} | {distant: (size, size + size // 8)}
        *others, half = (int(rng.integers(low, high + 1)) for low, high in small.values())
        yield *others, 2 * half
