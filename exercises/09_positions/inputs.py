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
    """Sizes of these axes, and of an even width behind them; once all of these are equal."""
    for *others, half in sizes(rng, **axes, half=(1, 4), far=far):
        yield *others, 2 * half
    yield (2 * int(rng.integers(1, 3)),) * (len(axes) + 1)
