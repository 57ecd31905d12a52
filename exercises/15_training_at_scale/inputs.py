"""Curves and their fit, and numbers that several questions draw."""

import numpy as np


def whole(rng, low, high):
    return int(rng.integers(low, high))


def curves(rng, kinds):
    """Points near a power law; noise moves the logarithm of what lies above the floor."""
    for points, noise, floor in kinds:
        x = 10.0 ** np.sort(rng.uniform(-1, 4, points))
        above = rng.uniform(0.5, 5) * x ** -rng.uniform(0.1, 0.6)
        above = above * np.exp(noise * rng.standard_normal(points))
        order = rng.permutation(points)
        yield {"x": x[order], "y": (floor + above)[order], "floor": floor}


def fit(x, y, floor):
    u, v = np.log(x), np.log(y - floor)
    slope = ((u - u.mean()) * (v - v.mean())).sum() / ((u - u.mean()) ** 2).sum()
    return float(np.exp(v.mean() - slope * u.mean())), float(-slope)


NUMBERS = {"no gradient": "NumPy's numbers have no gradient"}
