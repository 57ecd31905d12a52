"""A wrong output beside the right one, and what relations between them need."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from autograder.judging.compare import close, regular

ENOUGH = 4
FEW = 2
# wrong numbers of which all lie on one side
MANY = 20
RTOL = 1e-3
MAX_NUMBERS = 100_000


@dataclass(frozen=True)
class Pair:
    """A wrong output beside the expected one, of one shape and sort, with the inputs of its case."""

    inputs: dict[str, Any]
    expected: np.ndarray
    got: np.ndarray
    rtol: float
    atol: float

    @cached_property
    def wrong(self) -> np.ndarray:
        """Where the two differ."""
        return ~close(self.expected, self.got, self.rtol, self.atol)

    @cached_property
    def e(self) -> np.ndarray:
        """The expected numbers."""
        return self.expected.astype(np.float64)

    @cached_property
    def g(self) -> np.ndarray:
        """The numbers given."""
        return self.got.astype(np.float64)

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """The inputs that are numbers or arrays of numbers."""
        found = {name: regular(value) for name, value in self.inputs.items() if value is not None}
        return {name: a for name, a in found.items() if a is not None and a.dtype.kind in "biuf"}

    def near(self, found: np.ndarray, predicted: np.ndarray) -> bool:
        """Whether numbers are those that a relation predicts."""
        if found.shape != predicted.shape or not np.isfinite(predicted).all():
            return False
        sizes = np.abs(predicted[predicted != 0])
        usual = float(np.median(sizes)) if sizes.size else 0.0
        if not np.isclose(found, predicted, rtol=RTOL, atol=1e-4 * usual).all():
            return False
        # numbers that hardly differ are near to whatever is near to one of them
        spread = float(np.ptp(predicted)) if predicted.size else 0.0
        return not spread or bool(np.abs(found - predicted).max() <= 0.02 * spread)


# looks at all pairs, and says a sentence without its full stop that holds in each of them, or nothing
Relation = Callable[[Sequence[Pair]], str]


def who(pairs: Sequence[Pair]) -> str:
    """How a sentence on the wrong numbers begins."""
    return "All numbers are" if all(p.wrong.all() for p in pairs) else "The wrong numbers are"


def evidence_of(pairs: Sequence[Pair]) -> int:
    """How many numbers are wrong that clearly differ."""
    return len({float(f"{value:.2g}") for p in pairs for value in p.e[p.wrong]})


def holds(pairs: Sequence[Pair], predict: Callable[[Pair], np.ndarray]) -> bool:
    """Whether all outputs are what is predicted, on enough entries that are wrong and differ."""
    logical = pairs[0].expected.dtype.kind == "b"
    if sum(int(p.wrong.sum()) for p in pairs) < (3 * ENOUGH if logical else ENOUGH):
        return False
    if logical and sum(p.wrong.size for p in pairs) < MANY:
        return False
    values = {float(f"{value:.2g}") for p in pairs for value in p.e.ravel()}
    return len(values) > (1 if logical else FEW) and all(p.near(p.g, predict(p)) for p in pairs)


def axes_of(pairs: Sequence[Pair]) -> list[int]:
    """The dimensions along which some output has several places."""
    if any(p.e.ndim != pairs[0].e.ndim or not p.e.size for p in pairs):
        return []
    return [axis for axis in range(pairs[0].e.ndim) if any(p.e.shape[axis] > 1 for p in pairs)]


def dim(pairs: Sequence[Pair], axis: int) -> str:
    """A dimension in words."""
    return "its places" if pairs[0].e.ndim == 1 else f"dim {axis}"
