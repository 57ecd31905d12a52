"""The trusted comparison: of a student's outputs with the expected ones, and with the named mistakes.

``equal`` decides, and nothing that is said of a difference can change that (``differences``, ``relations``).
``fingerprint`` reduces outputs to a few random projections, by which the kit recognizes a named mistake
without holding it.
"""

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.authoring.spec import Interval

PROJECTIONS = 4
MAX_FINGERPRINTED = 1_000_000


def regular(value: Any) -> np.ndarray | None:
    """Numbers, and lists of numbers of one length, as an array; None for anything else."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, bool | int | float):
        return np.asarray(value) if not isinstance(value, int) or abs(value) < 2**63 else None
    if isinstance(value, list | tuple):
        if not value:
            return np.zeros(0)
        items = [array for item in value if (array := regular(item)) is not None]
        if len(items) == len(value) and len({item.shape for item in items}) == 1:
            return np.stack(items)
    return None


def equal(expected: Any, got: Any, *, rtol: float, atol: float) -> bool:
    """Whether ``got`` is what is expected: the same values, in whatever container."""
    if isinstance(expected, Interval):
        value = number(got)
        return value is not None and expected.low <= value <= expected.high
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and got.keys() == expected.keys()
            and all(equal(value, got[key], rtol=rtol, atol=atol) for key, value in expected.items())
        )
    if isinstance(expected, str) or expected is None:
        return type(got) is type(expected) and got == expected
    wanted = regular(expected)
    if wanted is not None:
        found = comparable(expected, got)
        return found is not None and _equal_arrays(wanted, found, rtol, atol)
    if isinstance(expected, int):
        return type(got) is int and got == expected
    return (
        isinstance(got, list | tuple)
        and len(got) == len(expected)
        and all(equal(one, other, rtol=rtol, atol=atol) for one, other in zip(expected, got, strict=True))
    )


def number(value: Any) -> float | None:
    """The value as one real number; None if it is none."""
    array = regular(value)
    if array is None or array.shape not in ((), (1,)) or array.dtype.kind not in "iuf":
        return None
    return float(array.reshape(()))


def comparable(expected: Any, got: Any) -> np.ndarray | None:
    """``got`` as an array to compare with the numbers of ``expected``; None if it has not their form."""
    wanted, found = regular(expected), regular(got)
    if wanted is None or found is None:
        return None
    if isinstance(got, tuple) and isinstance(expected, np.ndarray) and found.shape != wanted.shape:
        return None
    return found.reshape(()) if found.shape == (1,) and wanted.shape == () else found


def sort_of(array: np.ndarray) -> str:
    """What an array holds, in words; a boolean is no number and a real number not complex."""
    return {"b": "booleans", "c": "complex numbers"}.get(array.dtype.kind, "real numbers")


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


def _equal_arrays(expected: np.ndarray, got: np.ndarray, rtol: float, atol: float) -> bool:
    if got.shape != expected.shape:
        return False
    if not got.size:
        return True
    return sort_of(got) == sort_of(expected) and bool(close(expected, got, rtol, atol).all())


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
    array = regular(value)
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
