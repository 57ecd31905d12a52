"""The trusted comparison: of a student's outputs with the expected ones, and with the named mistakes.

``difference`` says in words what is wrong first. ``fingerprint`` reduces outputs to a few random projections,
by which the kit recognizes a named mistake without holding it.
"""

import hashlib
import itertools
import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.authoring.spec import Interval

PROJECTIONS = 4
MAX_PERMUTED = 4
MAX_FINGERPRINTED = 1_000_000


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


def _regular(value: Any) -> np.ndarray | None:
    """Numbers, and lists of numbers of one length, as an array; None for anything else."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, bool | int | float):
        return np.asarray(value) if not isinstance(value, int) or abs(value) < 2**63 else None
    if isinstance(value, list | tuple):
        if not value:
            return np.zeros(0)
        items = [array for item in value if (array := _regular(item)) is not None]
        if len(items) == len(value) and len({item.shape for item in items}) == 1:
            return np.stack(items)
    return None


def difference(expected: Any, got: Any, *, rtol: float, atol: float, name: str = "the value") -> str | None:
    """What is wrong with ``got``, in a sentence; None if nothing."""
    if isinstance(expected, Interval):
        return _outside(expected, got, name)
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return f"{name} should be a dict, not {_kind(got)}"
        for key, value in expected.items():
            if key not in got:
                return f"{name} has no entry {key!r}"
            if (
                found := difference(value, got[key], rtol=rtol, atol=atol, name=f"{name}[{key!r}]")
            ) is not None:
                return found
        extra = [key for key in got if key not in expected]
        return f"{name} has an entry {_brief(extra[0])} that is not asked for" if extra else None
    if isinstance(expected, str) or expected is None:
        return (
            None
            if type(got) is type(expected) and got == expected
            else f"{name} should be {expected!r}, not {_brief(got)}"
        )
    wanted = _regular(expected)
    if wanted is not None:
        array = _regular(got)
        several = isinstance(got, tuple) and isinstance(expected, np.ndarray)
        if array is None or (several and array.shape != wanted.shape):
            return f"{name} should be {_kind(expected)}, not {_kind(got)}"
        return _array_difference(wanted, array, rtol, atol, name)
    if isinstance(expected, int):
        return (
            None
            if type(got) is int and got == expected
            else f"{name} should be {expected}, not {_brief(got)}"
        )
    if not isinstance(got, list | tuple):
        return f"{name} should be a list, not {_kind(got)}"
    if len(got) != len(expected):
        return f"{name} should have {len(expected)} entries, not {len(got)}"
    for index, (one, other) in enumerate(zip(expected, got, strict=True)):
        if (found := difference(one, other, rtol=rtol, atol=atol, name=f"{name}[{index}]")) is not None:
            return found
    return None


def _outside(expected: Interval, got: Any, name: str) -> str | None:
    array = _regular(got)
    if array is None or array.shape not in ((), (1,)) or array.dtype.kind not in "iuf":
        return f"{name} should be a number, not {_kind(got)}"
    value = float(array.reshape(()))
    if expected.low <= value <= expected.high:
        return None
    return f"{name} is {value:.4g}; measured runs give {expected.low:.4g} to {expected.high:.4g}"


def close(expected: np.ndarray, got: np.ndarray, rtol: float, atol: float) -> np.ndarray:
    """Where two arrays of one shape agree; NaN agrees with NaN, infinities with equal ones.

    A whole number may come as a float; ``rtol`` is for what is expected to be a float.
    """
    if expected.dtype.kind not in "fc":
        if got.dtype.kind not in "fc":
            return expected == got
        rtol = 0.0
    kind = np.complex128 if "c" in (expected.dtype.kind, got.dtype.kind) else np.float64
    return np.isclose(got.astype(kind), expected.astype(kind), rtol=rtol, atol=atol, equal_nan=True)


def _array_difference(
    expected: np.ndarray, got: np.ndarray, rtol: float, atol: float, name: str
) -> str | None:
    if got.shape == (1,) and expected.shape == ():
        got = got.reshape(())
    if got.shape != expected.shape:
        return _shape_difference(expected, got, rtol, atol, name)
    if not got.size:
        return None
    groups = {"b": "booleans", "c": "complex numbers"}
    wanted, found = (groups.get(a.dtype.kind, "real numbers") for a in (expected, got))
    if wanted != found:
        return f"{name} holds {found}; it should hold {wanted}"
    agree = close(expected, got, rtol, atol)
    if agree.all():
        return None
    first = tuple(int(i) for i in np.argwhere(~agree)[0])
    got_text, expected_text = _shown(got[first].item(), expected[first].item())
    place = f" at {list(first)}" if first else ""
    if not np.isfinite(got[first]) and np.isfinite(expected[first]):
        return f"{name} has {got_text}{place}; expected {expected_text}"
    if not expected.ndim:
        return f"{name} is {got_text}; expected {expected_text}"
    count = int((~agree).sum())
    told = f"expected {expected_text}, got {got_text}"
    entries = "entries" if expected.dtype.kind == "b" else "numbers"
    text = f"{name} differs in {count} of {agree.size} {entries}; first{place}: {told}"
    relation = _relation(expected, got, rtol, atol)
    return f"{text}. {relation}" if relation else text


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


def _relation(expected: np.ndarray, got: np.ndarray, rtol: float, atol: float) -> str:
    """A simple relation that the wrong numbers have to the right ones."""
    if (
        expected.dtype.kind != "f"
        or got.size < 2
        or not (np.isfinite(expected).all() and np.isfinite(got).all())
    ):
        return ""
    wanted, found = expected.astype(np.float64), got.astype(np.float64)
    with np.errstate(all="ignore"):
        return _named_relation(wanted, found, rtol, atol)


def _named_relation(wanted: np.ndarray, found: np.ndarray, rtol: float, atol: float) -> str:
    square = wanted.ndim >= 2 and wanted.shape[-1] == wanted.shape[-2]
    if square and close(np.swapaxes(wanted, -1, -2), found, rtol, atol).all():
        return "The last two axes are swapped"
    norm = float((wanted * wanted).sum())
    factor = float((wanted * found).sum()) / norm if norm else 0.0
    if abs(factor) > 1e-6 and close(factor * wanted, found, rtol, atol).all():
        return f"All numbers are {factor:.4g} times the expected ones"
    if (wanted >= 0).all() and close(np.log(wanted), found, rtol, atol).all():
        return "They are the logarithms of the expected ones"
    if close(np.exp(wanted), found, rtol, atol).all():
        return "They are the exponentials of the expected ones"
    shift = float((found - wanted).mean())
    if close(wanted + shift, found, rtol, atol).all():
        return f"All numbers are {shift:+.4g} from the expected ones"
    return ""


class Signature:
    """What the outputs of a named mistake are recognized by, in one case."""


@dataclass(frozen=True)
class Fingerprint(Signature):
    """A few numbers by which outputs are recognized: projections, their scale, and what is not a number."""

    skeleton: str
    projections: tuple[float, ...]
    scale: float
    size: int

    def matches(self, other: "Fingerprint", rtol: float, atol: float) -> bool:
        """Whether both were made of outputs that are equal within these tolerances."""
        if self.skeleton != other.skeleton or self.size != other.size:
            return False
        allowed = 4 * (atol * math.sqrt(max(1, self.size)) + rtol * self.scale)
        return all(abs(a - b) <= allowed for a, b in zip(self.projections, other.projections, strict=True))


def entries(value: Any) -> int:
    """The numbers in a value, and the texts and other single values."""
    if isinstance(value, dict):
        value = list(value.values())
    return sum(map(entries, value)) if isinstance(value, list | tuple) else getattr(value, "size", 1)


def fingerprint(value: Any, changed: list[str]) -> Fingerprint:
    """Recognizes outputs up to rounding; ``changed`` are the names of inputs changed in place.

    What holds more than MAX_FINGERPRINTED numbers equals nothing.
    """
    if (size := entries(value)) > MAX_FINGERPRINTED:
        return Fingerprint("too large", (math.nan,) * PROJECTIONS, 0.0, size)
    numbers: list[np.ndarray] = []
    skeleton = json.dumps([_skeleton(value, numbers), sorted(changed)])
    vector = np.concatenate([np.zeros(0), *numbers])
    finite = np.nan_to_num(vector, nan=0.0, posinf=0.0, neginf=0.0).clip(-1e150, 1e150)
    flags = [np.isnan(vector), np.isposinf(vector), np.isneginf(vector)]
    full = np.concatenate([finite, *(f.astype(np.float64) for f in flags)])
    rng = np.random.Generator(np.random.PCG64(len(vector)))
    rows = rng.standard_normal((PROJECTIONS, len(full)))
    digest = hashlib.sha256(skeleton.encode()).hexdigest()[:16]
    projections = tuple(_rounded(p) for p in rows @ full)
    return Fingerprint(digest, projections, _rounded(np.linalg.norm(full)), len(vector))


def _rounded(value: Any) -> float:
    return float(f"{value:.8g}")


def _skeleton(value: Any, numbers: list[np.ndarray]) -> Any:
    array = _regular(value)
    if array is not None:
        if array.dtype.kind == "c":
            array = np.stack([array.real, array.imag])
        numbers.append(array.astype(np.float64).ravel())
        return [list(array.shape), "b" if array.dtype.kind == "b" else "n"]
    if isinstance(value, dict):
        return {
            str(key): _skeleton(item, numbers)
            for key, item in sorted(value.items(), key=lambda kv: str(kv[0]))
        }
    if isinstance(value, list | tuple):
        return [_skeleton(item, numbers) for item in value]
    return repr(value)
