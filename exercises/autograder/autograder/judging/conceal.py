"""Expected values that the student's kit recognizes and does not show: salted slow hashes."""

import functools
import hashlib
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.authoring.spec import SpecificationError

HASH_ROUNDS = 20_000
MAX_CONCEALED = 16
ROUNDING = 1e-12
NUMBER = re.compile(r"\s*[-+.\d][-+.\de^*/_ ]*")


@functools.lru_cache(maxsize=100_000)
def _slow_hash(salt: str, text: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", text.encode(), salt.encode(), HASH_ROUNDS).hex()[:24]


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        return _leaves(value.tolist())
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def _texts(value: Any, digits: int) -> list[str]:
    """The texts under which a value may be hashed: its own, and those half a unit of the last digit away."""
    if isinstance(value, bool):
        return [f"b:{value}"]
    if isinstance(value, int | float) and abs(value) < 1e300:
        exact = [f"i:{int(value)}"] if value == int(value) else []
        value = float(value)
        zero = ["f:0"] if abs(value) < 10.0**-digits else []
        if not value:
            return [*exact, *zero]
        half = 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
        near = dict.fromkeys(f"f:{v:.{digits - 1}e}" for v in (value, value - half, value + half))
        return [*exact, *zero, *near]
    if isinstance(value, str):
        return [f"s:{' '.join(value.split()).casefold()}"]
    return [f"o:{value!r}"]


def _stored_text(leaf: Any, digits: int) -> str:
    """The one text of an expected value: exact for an integer, rounded to significant digits for a float."""
    if type(leaf) is int:
        return f"i:{leaf}"
    if isinstance(leaf, float) and abs(leaf) < 1e300:
        return f"f:{leaf:.{digits - 1}e}" if abs(leaf) > ROUNDING else "f:0"
    return _texts(leaf, digits)[0]


@dataclass(frozen=True)
class Concealed:
    """An expected value that does not show: one salted slow hash for each of its numbers."""

    salt: str
    digits: int
    digests: tuple[str, ...]

    def equals(self, got: Any) -> bool:
        """Whether ``got`` is the expected value, up to the digits that are compared."""
        if isinstance(got, np.ndarray) and got.size > MAX_CONCEALED:
            return False
        leaves = _leaves(got)
        return len(leaves) == len(self.digests) and all(
            any(_slow_hash(f"{self.salt}/{i}", text) == digest for text in _texts(leaf, self.digits))
            for i, (leaf, digest) in enumerate(zip(leaves, self.digests, strict=True))
        )

    def remark(self, got: Any) -> str:
        """What is wrong with ``got``, judged from ``got`` alone: nothing of the expected value shows."""
        leaves = [] if isinstance(got, np.ndarray) and got.size > MAX_CONCEALED else _leaves(got)
        if len(leaves) != len(self.digests):
            size = got.size if isinstance(got, np.ndarray) else len(leaves)
            counts = [f"{n} value{'s' * (n != 1)}" for n in (size, len(self.digests))]
            return f"has {counts[0]}; it should have {counts[1]}"
        for leaf in leaves:
            if leaf is None or leaf is ...:
                return f"is not right: a value is {'None' if leaf is None else 'still ...'}"
            if isinstance(leaf, str) and NUMBER.fullmatch(leaf):
                return f"is not right: {leaf.strip()[:20]!r} is text; write it without quotes"
            if isinstance(leaf, float) and not math.isfinite(leaf):
                return f"is not right: a value is {leaf}"
        if any(isinstance(leaf, float) and _is_rounded(leaf, self.digits) for leaf in leaves):
            return f"is not right; {self.digits} significant digits are compared"
        return "is not right"


def _is_rounded(value: float, digits: int) -> bool:
    """Whether a number with a fraction has fewer digits than are compared."""
    return value != int(value) and float(f"{value:.{digits - 2}e}") == value


def conceal(value: Any, salt: str, digits: int) -> Concealed:
    """Hide a value: each of its numbers, booleans or strings becomes a salted slow hash."""
    leaves = _leaves(value)
    if len(leaves) > MAX_CONCEALED or any(not isinstance(leaf, bool | int | float | str) for leaf in leaves):
        raise SpecificationError(
            f"{salt}: a derive output is at most {MAX_CONCEALED} numbers, booleans or strings, not {value!r}"
        )
    digests = [_slow_hash(f"{salt}/{i}", _stored_text(leaf, digits)) for i, leaf in enumerate(leaves)]
    return Concealed(salt, digits, tuple(digests))
