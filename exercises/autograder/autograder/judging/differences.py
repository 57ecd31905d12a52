"""In words: the first difference of an output from the expected one, where ``compare.equal`` finds one."""

import itertools
import math
from typing import Any

import numpy as np

from autograder.authoring.spec import Interval
from autograder.judging.compare import close, comparable, equal, number, regular, sort_of

MAX_PERMUTED = 4
MAX_LISTED = 40
MAX_TEXT = 60


def difference(expected: Any, got: Any, *, rtol: float, atol: float, name: str = "the value") -> str:
    """What is wrong first with ``got``, which does not equal what is expected, in a sentence."""
    if isinstance(expected, Interval):
        value = number(got)
        if value is None:
            return f"{name} should be a number, not {_kind(got)}"
        if not math.isfinite(value):
            return f"{name} is {value}; it should be a finite number"
        return f"{name} is {value:.4g}, which is outside what honest runs give"
    if isinstance(expected, dict):
        return _dict_difference(expected, got, rtol, atol, name)
    if isinstance(expected, str) and isinstance(got, str) and max(len(expected), len(got)) > MAX_TEXT:
        return _text_difference(expected, got, name)
    if isinstance(expected, str) or expected is None:
        return f"{name} should be {expected!r}, not {_brief(got)}"
    wanted = regular(expected)
    if wanted is not None:
        found = comparable(expected, got)
        if found is None:
            return f"{name} should be {_kind(expected)}, not {_kind(got)}"
        if isinstance(expected, list) and isinstance(got, list) and len(_brief(got)) <= MAX_LISTED:
            return f"{name} is {_brief(got)}; expected {_brief(expected)}"
        if other_length(expected, wanted, found):
            return f"{name} should have {len(wanted)} entries, not {len(found)}"
        return _array_difference(wanted, found, rtol, atol, name)
    if isinstance(expected, int):
        return f"{name} should be {expected}, not {_brief(got)}"
    if not isinstance(got, list | tuple):
        return f"{name} should be a list, not {_kind(got)}"
    if len(got) != len(expected):
        return f"{name} should have {len(expected)} entries, not {len(got)}"
    for index, (one, other) in enumerate(zip(expected, got, strict=True)):
        if not equal(one, other, rtol=rtol, atol=atol):
            return difference(one, other, rtol=rtol, atol=atol, name=f"{name}[{index}]")
    return f"{name} is not right"


def other_length(expected: Any, wanted: np.ndarray, found: np.ndarray) -> bool:
    """Whether a list has too many or too few entries: its length hangs on numbers, as no shape does."""
    return (
        isinstance(expected, list)
        and found.ndim > 0
        and len(found) != len(wanted)
        and (not found.size or found.shape[1:] == wanted.shape[1:])
    )


def _text_difference(expected: str, got: str, name: str) -> str:
    """Long texts from a little before the place where they part; of lists as texts also their lengths."""
    pairs = zip(expected, got, strict=False)
    start = next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(expected), len(got)))
    shown = [
        f"{'...' * (start > 20)}{text[max(0, start - 20) : start + 30]}{'...' * (len(text) > start + 30)}"
        for text in (expected, got)
    ]
    told = f"{name} differs from its character {start + 1} on: expected {shown[0]!r}, got {shown[1]!r}"
    if all(text.startswith("[") and "[" not in text[1:] for text in (expected, got)):
        one, other = (0 if text == "[]" else text.count(",") + 1 for text in (expected, got))
        if one != other:
            told = f"{name} should have {one} {'entry' if one == 1 else 'entries'}, not {other}"
            told += f"; it differs from its character {start + 1} on: expected {shown[0]!r}, got {shown[1]!r}"
    return told


def _dict_difference(expected: dict, got: Any, rtol: float, atol: float, name: str) -> str:
    if not isinstance(got, dict):
        return f"{name} should be a dict, not {_kind(got)}"
    for key, value in expected.items():
        if key not in got:
            return f"{name} has no entry {key!r}"
        if not equal(value, got[key], rtol=rtol, atol=atol):
            return difference(value, got[key], rtol=rtol, atol=atol, name=f"{name}[{key!r}]")
    extra = [key for key in got if key not in expected]
    return (
        f"{name} has an entry {_brief(extra[0])} that is not asked for" if extra else f"{name} is not right"
    )


def _array_difference(expected: np.ndarray, got: np.ndarray, rtol: float, atol: float, name: str) -> str:
    if got.shape != expected.shape:
        return _shape_difference(expected, got, rtol, atol, name)
    if sort_of(got) != sort_of(expected):
        return f"{name} holds {sort_of(got)}; it should hold {sort_of(expected)}"
    agree = close(expected, got, rtol, atol)
    if agree.all():
        return f"{name} is not right"
    first = tuple(int(i) for i in np.argwhere(~agree)[0])
    got_text, expected_text = _shown(got[first].item(), expected[first].item())
    place = f" at {list(first)}" if first else ""
    if not np.isfinite(got[first]) and np.isfinite(expected[first]):
        return f"{name} has {got_text}{place}; expected {expected_text}"
    if not expected.ndim:
        return f"{name} is {got_text}; expected {expected_text}"
    entries = "entries" if expected.dtype.kind == "b" else "numbers"
    told = f"first{place}: expected {expected_text}, got {got_text}"
    return f"{name} differs in {int((~agree).sum())} of {agree.size} {entries}; {told}"


def _shape_difference(expected: np.ndarray, got: np.ndarray, rtol: float, atol: float, name: str) -> str:
    """What is wrong with a shape, and whether the numbers in it are right."""
    if not got.ndim:
        return f"{name} is a single number; it should have shape {_shape(expected)}"
    text = f"{name} has shape {_shape(got)}; it should be {_shape(expected)}"
    if got.size != expected.size or not got.size or "c" in (expected.dtype.kind, got.dtype.kind):
        return text
    if got.squeeze().shape == expected.squeeze().shape:
        if close(expected.squeeze(), got.squeeze(), rtol, atol).all():
            return f"{text}. The numbers are right"
    elif got.ndim == expected.ndim <= MAX_PERMUTED:
        for axes in itertools.permutations(range(got.ndim)):
            turned = got.transpose(axes)
            if turned.shape == expected.shape and close(expected, turned, rtol, atol).all():
                return f"{text}. The numbers are right, the axes are in another order"
    return text


def _shape(array: np.ndarray) -> str:
    return f"({', '.join(map(str, array.shape))}{',' if array.ndim == 1 else ''})"


def _shown(got: Any, expected: Any) -> tuple[str, str]:
    """Two numbers with enough digits to tell them apart."""
    if isinstance(got, bool):
        return str(got), str(expected)
    got, expected = got + 0, expected + 0  # shows -0.0 as 0
    for digits in (4, 6, 9, 17):
        texts = f"{got:.{digits}g}", f"{expected:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "a tensor" if value.ndim else "a number"
    if value is None:
        return "None (is a return missing?)"
    if isinstance(value, tuple):
        return f"a tuple of {len(value)} values"
    names = {bool: "True or False", int: "a number", float: "a number", str: "a string", dict: "a dict"}
    return names.get(type(value), f"a {type(value).__name__}")
