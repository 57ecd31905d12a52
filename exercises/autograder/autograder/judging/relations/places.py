"""Where an output is wrong: in which cases, at which places, and what the inputs are there."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from autograder.judging.compare import regular
from autograder.judging.relations.evidence import (
    SURE_CASES,
    SURE_NONE,
    SURE_PLACES,
    location,
    log2_choose,
)
from autograder.judging.relations.pairs import FEW, Pair, axes_of
from autograder.judging.wording import inputs_text

# how far sizes and numbers of some cases must lie from those of all others to be named
MANY_CASES = 4
FAR_SIZE, LARGE_SIZE = 3, 20
FAR_NUMBER, LARGE_NUMBER, SMALL_NUMBER, SMALL_SCALAR = 100, 30, 1e-3, 1e-4
# of the cases that are wrong where one input is 0, True or False
SURE_VALUE = 6.0
# what may be said of places among which some are right, too: a mask, not a number that occurs by chance
TELLING = ("False", "True", "infinite")
Masks = Sequence[tuple[Pair, np.ndarray]]


def places(pairs: Sequence[Pair]) -> str:
    """A sentence on where the numbers are wrong, or are none, if that can be said; without its full stop."""
    bad = [~np.isfinite(p.got) & np.isfinite(p.expected) & p.wrong for p in pairs]
    masks = [(p, p.wrong) for p in pairs]
    what, are = ("numbers", "wrong") if pairs[0].expected.dtype.kind != "b" else ("entries", "wrong")
    if all((b == p.wrong).all() for b, p in zip(bad, pairs)):
        given = np.concatenate([p.got[p.wrong] for p in pairs])
        are = "NaN" if np.isnan(given).all() else "infinite" if np.isinf(given).all() else "NaN or infinite"
        if all(p.wrong.all() for p in pairs):
            return f"All {what} are {are}"
    if all(wrong.all() for _, wrong in masks) or sum(int(wrong.sum()) for _, wrong in masks) < FEW:
        return ""
    sure = SURE_PLACES if are == "wrong" else SURE_NONE
    told = _by_inputs(masks, sure) or _by_index(masks, sure)
    return told.format(what=what, are=are)


def _conditions(p: Pair, shape: tuple[int, ...]) -> Iterator[tuple[str, np.ndarray]]:
    """What may be so at some places and not at others, for inputs that belong to places of the output."""
    for name, array in p.arrays.items():
        if not array.ndim:
            continue
        if array.dtype.kind == "b":
            yield f"{name} is False", ~array
            yield f"{name} is True", array
            if array.ndim > 1:
                yield f"the row of {name} is all False", np.asarray(~array.any(-1))
                yield f"the row of {name} is all True", np.asarray(array.all(-1))
        elif array.dtype.kind == "f":
            yield f"{name} is infinite", np.isinf(array)
        else:
            yield f"{name} is 0", array == 0
            if array.ndim == 1 and array.size:
                yield f"{name} is less than its largest", array < array.max()
                if len(shape) > 1 and shape[0] == len(array):
                    yield f"the place is at {name} or beyond", np.arange(shape[1]) >= array[:, None]


def _by_inputs(masks: Masks, sure: float) -> str:
    """The places at which an input is what it is at no other place."""
    pair, wrong = masks[0]
    for name in dict(_conditions(pair, wrong.shape)):
        for start in range(wrong.ndim):
            found = [_at(p, w, name, start) for p, w in masks]
            if any(one is None for one in found):
                continue
            at = np.concatenate([there.ravel() for there, _ in found])  # type: ignore[misc]
            inside = np.concatenate([condition.ravel() for _, condition in found])  # type: ignore[misc]
            if inside.all() or not inside.any() or len(at) < 2 * FEW:
                continue
            if (
                location([(len(at), int(inside.sum()), int(at.sum()))] if not (at & ~inside).any() else [])
                < sure
            ):
                continue
            if (at == inside).all():
                return f"The {{what}} are {{are}} exactly where {name}"
            outside_is_right = not (at & ~inside).any() and (~inside).sum() >= 2 * FEW and at.sum() >= FEW
            if outside_is_right and name.endswith(TELLING):
                return f"The {{what}} are {{are}} only where {name}"
    return ""


def _at(p: Pair, wrong: np.ndarray, name: str, start: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Where something is wrong and where a condition holds, along the dimensions of the condition."""
    condition = dict(_conditions(p, wrong.shape)).get(name)
    if condition is None or condition.shape != wrong.shape[start : start + condition.ndim]:
        return None
    others = tuple(a for a in range(wrong.ndim) if not start <= a < start + condition.ndim)
    return np.asarray(wrong.any(others)), condition


def _by_index(masks: Masks, sure: float) -> str:
    """The first or last places along a dimension, or all but these."""
    if any(w.ndim != masks[0][1].ndim for _, w in masks):
        return ""
    for axis in axes_of([p for p, _ in masks]):
        lines = [np.asarray(w.any(tuple(a for a in range(w.ndim) if a != axis))) for _, w in masks]
        if max(map(len, lines)) < 3:
            continue
        last = "place" if masks[0][1].ndim == 1 else f"place along dim {axis}"
        ends = [line[::-1] for line in lines]
        # the places in the lines in which anything is wrong
        sizes = [
            (w.size, w.size // w.shape[axis] * int(line.sum()), int(w.sum()))
            for (_, w), line in zip(masks, lines)
        ]
        if location(sizes) < sure:
            continue
        for which, rows in (("first", lines), ("last", ends)):
            if all(row[0] and not row[1:].any() for row in rows):
                return f"Only the {which} {last} is {{are}}"
            if all(row[1:].all() and not row[0] for row in rows):
                return f"The {which} {last} is right, all others have {{what}} that are {{are}}"
        for k in range(1, max(map(len, lines)) - 1):
            if all(len(line) > k + 1 and line[k] and line.sum() == 1 for line in lines):
                return f"Only {last.replace('place', f'place {k}')} (counted from 0) is {{are}}"
        for k in range(2, max(map(len, lines)) - 1):
            if all(not line[:k].any() and line[k:].all() and len(line) > k for line in lines):
                return f"The first {k} {last.replace('place', 'places')} are right, the others are not"
        for k in range(2, max(map(len, lines)) - 1):
            if all(line[:k].all() and not line[k:].any() and len(line) > k for line in lines):
                return f"Only the first {k} {last.replace('place', 'places')} have {{what}} that are {{are}}"
    return ""


def cases(
    inputs: Sequence[Mapping[str, Any]], wrong: Sequence[bool], numbers: Sequence[tuple[int, int]]
) -> str:
    """Which of the cases are wrong, and what tells them from the others; without a full stop.

    ``numbers`` are how many each case has, and how many of them are wrong.
    """
    if all(wrong) or not any(wrong):
        return ""
    inside = sum(size for (size, _), one in zip(numbers, wrong) if one)
    sure = (
        location([(sum(size for size, _ in numbers), inside, sum(bad for _, bad in numbers))]) >= SURE_CASES
    )
    if told := _far(inputs, wrong) or _by_value(inputs, wrong):
        return told
    sizes = [dict(_sizes(case)) for case in inputs]
    common = [name for name in sizes[0] if all(name in case for case in sizes)]
    single: dict[tuple, str] = {}
    for name in common:
        column = tuple(case[name] for case in sizes)
        ones = [size == 1 for size in column]
        if ones == list(wrong):
            single.setdefault(column, f"Wrong are the cases in which {name} is 1, and no others")
        elif [not one for one in ones] == list(wrong):
            single.setdefault(column, f"Right are the cases in which {name} is 1, and no others")
    if sure and len(single) == 1 and FEW < sum(wrong) < len(wrong) - FEW:
        return next(iter(single.values()))
    right = [c for c, one in enumerate(wrong) if not one]
    which = f"Case {right[0] + 1} is right" if len(right) == 1 else f"Cases {_listed(right)} are right"
    told = inputs_text(_other_sizes(inputs[right[0]], inputs[wrong.index(True)]))
    return f"{which} (case {right[0] + 1} has {told})" if told else which


def _far(inputs: Sequence[Mapping[str, Any]], wrong: Sequence[bool]) -> str:
    """That the wrong cases are those with a size, or with numbers, far beyond those of the others."""
    if len(wrong) < MANY_CASES:
        return ""
    given = [{**dict(_sizes(case)), **dict(_magnitudes(case))} for case in inputs]
    found: list[tuple[float, str]] = []
    for name in given[0]:
        if not all(name in case for case in given):
            continue
        inside = [case[name] for case, one in zip(given, wrong) if one]
        outside = [case[name] for case, one in zip(given, wrong) if not one]
        told = _apart(inside, outside, size=name.startswith("the size"), scalar=name in inputs[0])
        found += [(times, f"{name} {how}") for times, how in told]
    return f"Wrong are the cases in which {max(found)[1]}" if found else ""


def _apart(
    inside: list[float], outside: list[float], *, size: bool, scalar: bool
) -> Iterator[tuple[float, str]]:
    """How far numbers lie above or below all others, and how that is said, if it is far enough."""
    times, least = (FAR_SIZE, LARGE_SIZE) if size else (FAR_NUMBER, LARGE_NUMBER)
    (low, high), (others_low, others_high) = (min(inside), max(inside)), (min(outside), max(outside))
    if size and high == 0 < others_low:
        yield math.inf, "is 0"
    if low >= max(least, times * others_high):
        far = low / max(others_high, 1e-9)
        yield far, f"is {low:.4g} or more; in the others it is at most {others_high:.4g}"
    if not size and 0 < high <= (SMALL_SCALAR if scalar else SMALL_NUMBER) and times * high <= others_low:
        yield others_low / high, f"is at most {high:.4g}; in the others it is {others_low:.4g} or more"


def _by_value(inputs: Sequence[Mapping[str, Any]], wrong: Sequence[bool]) -> str:
    """That the wrong cases are those in which one input is 0, or True, or False."""
    if log2_choose(len(wrong), sum(wrong)) < SURE_VALUE:
        return ""
    for name in inputs[0]:
        column = [case.get(name) for case in inputs]
        if not all(isinstance(value, bool | int | float) for value in column):
            continue
        for value in (True, False) if isinstance(column[0], bool) else (0,):
            if [one == value for one in column] == list(wrong):
                return f"Wrong are the cases in which {name} is {value}, and no others"
    return ""


def _magnitudes(case: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """How large the numbers of the inputs are."""
    for name, value in case.items():
        array = regular(value) if value is not None else None
        if array is None or array.dtype.kind not in "fiu" or (array.ndim and array.size < MANY_CASES):
            continue
        sizes = np.abs(array.astype(np.float64))
        if np.isfinite(sizes).all():
            yield (f"the largest number of {name}, in size," if array.ndim else name), float(sizes.max())


def _listed(numbers: Sequence[int]) -> str:
    """Cases, counted from 1: "1, 3 to 6 and 8"; runs of three or more by their ends."""
    texts: list[str] = []
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        ones = [str(number + 1) for _, number in run]
        texts += ones if len(ones) <= FEW else [f"{ones[0]} to {ones[-1]}"]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)


def _other_sizes(case: Mapping[str, Any], wrong: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of a case whose size, or whose number or word, is not that of the wrong one's."""

    def size(value: Any) -> Any:
        array = regular(value) if value is not None else None
        return str(value) if array is None or not array.ndim else array.shape

    return {
        name: value for name, value in case.items() if name not in wrong or size(value) != size(wrong[name])
    }


def _sizes(case: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for name, value in case.items():
        array = regular(value) if value is not None else None
        if array is None:
            continue
        for axis, size in enumerate(array.shape):
            yield (f"the size of {name}" if array.ndim == 1 else f"the size of dim {axis} of {name}"), size
        if not array.ndim and array.dtype.kind == "i":
            yield name, int(array)
