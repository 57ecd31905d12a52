"""How much speaks against chance where wrong numbers have something to do with the right ones, in bits."""

import math
from collections.abc import Sequence

import numpy as np

from autograder.judging.relations.pairs import Pair

SURE = 24.0
# of the places that are wrong; NaN is no accident
SURE_PLACES, SURE_NONE = 16.0, 8.0
# of the cases that are wrong, by all their numbers
SURE_CASES = 8.0
STEPS = (100, 64)


def is_whole(pairs: Sequence[Pair]) -> bool:
    """Whether all expected numbers are whole: counts, indices, codes."""
    return all(bool((p.e == np.round(p.e)).all()) for p in pairs)


def is_coarse(*arrays: np.ndarray) -> bool:
    """Whether all numbers are of few digits, so that equal ones say little: whole, decimals, quarters."""
    values = np.concatenate([np.ravel(array) for array in arrays]).astype(np.float64)
    values = values[np.isfinite(values)]
    return any(np.allclose(step * values, np.round(step * values), rtol=1e-6, atol=1e-6) for step in STEPS)


def entropy(*arrays: np.ndarray) -> float:
    """How many bits a number says that equals another; of numbers of few digits those of a chance meeting."""
    if not is_coarse(*arrays):
        return 9.0
    values = np.concatenate([np.ravel(array) for array in arrays])
    if not values.size:
        return 0.0
    _, counts = np.unique(values, return_counts=True)
    return -math.log2(float(((counts / counts.sum()) ** 2).sum()))


def agreement(pairs: Sequence[Pair]) -> float:
    """The bits of a relation that predicts all wrong numbers."""
    bits = entropy(*(a for p in pairs for a in (p.e[p.wrong], p.g[p.wrong])))
    return bits * sum(int(p.wrong.sum()) for p in pairs)


def order(pairs: Sequence[Pair], *, by_row: bool) -> float:
    """The bits of wrong numbers that are the expected ones in another order."""
    arrays = [a for p in pairs for a in (p.e, p.g)]
    if not is_coarse(*arrays):
        return math.inf
    kinds = len(np.unique(np.concatenate([np.ravel(a) for a in arrays])))
    sizes = []
    for p in pairs:
        rows = p.wrong.reshape(-1, p.wrong.shape[-1]) if by_row else p.wrong.reshape(1, -1)
        sizes += [rows.shape[1]] * int(rows.any(1).sum())
    return sum(log2_choose(size + kinds - 1, size) for size in sizes)


def location(sizes: Sequence[tuple[int, int, int]]) -> float:
    """The bits of wrong places that all lie inside; of each array the size, the inside, the wrong."""
    return sum(log2_choose(size, wrong) - log2_choose(inside, wrong) for size, inside, wrong in sizes)


def log2_choose(n: int, k: int) -> float:
    """The logarithm to base 2 of a binomial coefficient."""
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)
