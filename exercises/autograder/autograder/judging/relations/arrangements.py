"""Right numbers at wrong places, or of one place for all."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from autograder.judging.relations.evidence import SURE, order
from autograder.judging.relations.pairs import (
    ENOUGH,
    FEW,
    MANY,
    Pair,
    Relation,
    axes_of,
    dim,
    evidence_of,
    holds,
)

Forms = dict[str, Callable[[np.ndarray, int], np.ndarray]]
REORDERED = "The numbers are right, in another order"


def _swapped(pairs: Sequence[Pair]) -> str:
    for one, other in itertools.combinations(range(-1, -1 - pairs[0].e.ndim, -1), 2):
        if any(p.e.ndim != pairs[0].e.ndim or p.e.shape[one] != p.e.shape[other] for p in pairs):
            continue
        if holds(pairs, lambda p, a=one, b=other: np.swapaxes(p.e, a, b)):  # type: ignore[misc]
            names = [pairs[0].e.ndim + axis for axis in (other, one)]
            last = (one, other) == (-1, -2)
            return "The last two axes are swapped" if last else f"Dims {names[0]} and {names[1]} are swapped"
    return ""


def _along(pairs: Sequence[Pair]) -> str:
    """Places along one dimension that are reversed, moved, or all like one of them."""
    forms: Forms = {
        "The numbers are right, in reverse order along {}": np.flip,
        "The numbers are right, turned by one place along {}": lambda e, a: np.roll(e, 1, a),
        "The numbers are right, turned back by one place along {}": lambda e, a: np.roll(e, -1, a),
        "Along {} all are the expected first one": lambda e, a: _repeated(e, e.take([0], a)),
        "Along {} all are the expected last one": lambda e, a: _repeated(e, e.take([-1], a)),
    }
    return _formed(pairs, forms) or _shifted(pairs)


def _added(pairs: Sequence[Pair]) -> str:
    """Places along one dimension that are added up, or all like their mean."""
    forms: Forms = {
        "They are the running sums of the expected ones along {}": np.cumsum,
        "They are the running sums of the expected ones along {}, without the last term": lambda e, a: (
            np.cumsum(e, a) - e
        ),
        "They are the differences of the expected ones along {}": lambda e, a: np.diff(
            e, axis=a, prepend=np.zeros_like(e.take([0], a))
        ),
        "Along {} all are the mean of the expected ones": lambda e, a: _repeated(e, e.mean(a, keepdims=True)),
        "Along {} all are the sum of the expected ones": lambda e, a: _repeated(e, e.sum(a, keepdims=True)),
    }
    return _formed(pairs, forms)


def _formed(pairs: Sequence[Pair], forms: Forms) -> str:
    for axis in axes_of(pairs):
        for told, form in forms.items():
            if holds(pairs, lambda p, f=form, a=axis: f(p.e, a)):  # type: ignore[misc]
                return told.format(dim(pairs, axis))
    return ""


def _shifted(pairs: Sequence[Pair]) -> str:
    """Places along one dimension that are moved, with something else where nothing is left."""
    for axis in axes_of(pairs):
        for step in (1, -1):
            if _moved(pairs, axis, step):
                way = "late" if step > 0 else "early"
                return f"They stand one place too {way} along {dim(pairs, axis)}"
    return ""


def _repeated(e: np.ndarray, one: np.ndarray) -> np.ndarray:
    return np.broadcast_to(one, e.shape)


def _moved(pairs: Sequence[Pair], axis: int, step: int) -> bool:
    seen, values = 0, set()
    for p in pairs:
        places = np.arange(p.e.shape[axis])
        to, source = (places[step:], places[:-step]) if step > 0 else (places[:step], places[-step:])
        got, expected = p.g.take(to, axis), p.e.take(source, axis)
        if not p.near(got, expected):
            return False
        seen += int(p.wrong.take(to, axis).sum())
        values |= set(expected.ravel().tolist())
    if pairs[0].expected.dtype.kind != "b":
        return seen >= ENOUGH and len(values) > FEW
    return seen >= ENOUGH and len(values) > 1 and sum(p.wrong.size for p in pairs) >= MANY


def _reordered(pairs: Sequence[Pair]) -> str:
    if evidence_of(pairs) < ENOUGH or not holds(pairs, lambda p: p.g):
        return ""
    for axis in axes_of(pairs):
        if pairs[0].e.ndim > 1 and all(_same_slices(p, axis) for p in pairs):
            return f"The numbers are right, in another order along dim {axis}"
    rows = pairs[0].e.ndim > 0 and order(pairs, by_row=True) >= SURE
    if rows and all(p.near(np.sort(p.g, -1), np.sort(p.e, -1)) for p in pairs):
        return "Each row holds the right numbers in another order" if pairs[0].e.ndim > 1 else REORDERED
    if order(pairs, by_row=False) >= SURE and all(
        p.near(np.sort(p.g, None), np.sort(p.e, None)) for p in pairs
    ):
        return REORDERED
    return ""


def _same_slices(p: Pair, axis: int) -> bool:
    """Whether the slices along an axis are the expected ones in another order."""
    expected = list(np.moveaxis(p.e, axis, 0))
    if len(expected) > 32:
        return False
    for one in np.moveaxis(p.g, axis, 0):
        place = next((i for i, other in enumerate(expected) if p.near(one, other)), None)
        if place is None:
            return False
        del expected[place]
    return True


def _all_alike(pairs: Sequence[Pair]) -> str:
    """Slices that are all the same although the expected ones differ."""
    for axis in axes_of(pairs):
        wide = [p for p in pairs if p.e.shape[axis] > 1]
        numbers = sum(p.e.size for p in wide)
        if numbers < ENOUGH or len(wide) < len(pairs):
            continue
        flat = all(np.ptp(p.g, axis).max() <= 0.02 * np.ptp(p.e, axis).max() for p in wide)
        if (
            flat
            and all(p.near(p.g, _repeated(p.g, p.g.take([0], axis))) for p in wide)
            and not any(p.near(p.e, _repeated(p.e, p.e.take([0], axis))) for p in wide)
        ):
            return f"They are all the same along {dim(pairs, axis)}; the expected ones are not"
    return ""


def _one_value(pairs: Sequence[Pair]) -> str:
    given = set(np.concatenate([p.got.ravel() for p in pairs]).tolist())
    many = sum(p.got.size for p in pairs) >= MANY
    return f"All entries are {given.pop()}" if len(given) == 1 and many else ""


def _inverted(pairs: Sequence[Pair]) -> str:
    values = np.concatenate([p.expected.ravel() for p in pairs])
    if all(p.wrong.all() for p in pairs) and len(values) >= MANY and len(set(values.tolist())) == 2:
        return "True and False are exchanged"
    return ""


LOGICAL: tuple[Relation, ...] = (_inverted, _one_value, _swapped, _shifted)
ARRANGED: tuple[Relation, ...] = (_swapped, _along, _reordered, _all_alike)
ADDED: tuple[Relation, ...] = (_added,)
