"""Expected values that the student's kit recognizes and does not show: salted slow hashes."""

import functools
import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.authoring.spec import SpecificationError
from autograder.judging.slips import undone

HASH_ROUNDS = 20_000
# a hash of fewer digits is found by fewer guesses, so each guess costs more
ROUGH_TIMES = 20
FEWEST_TOLD = 3
FEWER_DIGITS = 2
PLAIN = "is not right"
DIGITS = "of its digits are right"
MAX_CONCEALED = 16
ROUNDING = 1e-12
UNQUOTED = re.compile(r"\s*([-+.\d][-+.\de^*/_ ]*|true|false)\s*", re.IGNORECASE)


@functools.lru_cache(maxsize=100_000)
def _slow_hash(salt: str, text: str, times: int = 1) -> str:
    return hashlib.pbkdf2_hmac("sha256", text.encode(), salt.encode(), times * HASH_ROUNDS).hex()[:24]


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


def _rough(salt: str, leaf: Any, digits: int) -> str:
    """The hash of a number with a fraction, rounded to fewer digits than are compared; else nothing."""
    fewer = digits - FEWER_DIGITS
    if type(leaf) is not float or not math.isfinite(leaf) or abs(leaf) <= ROUNDING or fewer < FEWEST_TOLD:
        return ""
    return _slow_hash(salt, f"r:{leaf:.{fewer - 1}e}", ROUGH_TIMES)


@dataclass(frozen=True)
class Concealed:
    """An expected value that does not show: one salted slow hash for each of its numbers.

    ``rough`` are slower ones of its numbers with fractions, rounded: by them a value that is right up to its
    last digits is told from a wrong one.
    """

    salt: str
    digits: int
    digests: tuple[str, ...]
    rough: tuple[str, ...] = ()

    def equals(self, got: Any) -> bool:
        """Whether ``got`` is the expected value, up to the digits that are compared."""
        if isinstance(got, np.ndarray) and got.size > MAX_CONCEALED:
            return False
        leaves = _leaves(got)
        return len(leaves) == len(self.digests) and all(self._is(i, leaf) for i, leaf in enumerate(leaves))

    def _is(self, i: int, leaf: Any) -> bool:
        return any(_slow_hash(f"{self.salt}/{i}", t) == self.digests[i] for t in _texts(leaf, self.digits))

    def remark(self, got: Any) -> str:
        """That ``got`` is not right, and what is wrong with its form; nothing of the expected value shows."""
        leaves = [] if isinstance(got, np.ndarray) and got.size > MAX_CONCEALED else _leaves(got)
        if len(leaves) != len(self.digests):
            size = got.size if isinstance(got, np.ndarray) else len(leaves)
            counts = [f"{n} value{'s' * (n != 1)}" for n in (size, len(self.digests))]
            return f"has {counts[0]}; it should have {counts[1]}"
        for leaf in leaves:
            if leaf is None or leaf is ...:
                return f"is not right: a value is {'None' if leaf is None else 'still ...'}"
            if isinstance(leaf, str) and UNQUOTED.fullmatch(leaf):
                return f"is not right: {leaf.strip()[:20]!r} is text; write it without quotes"
            if isinstance(leaf, float) and not math.isfinite(leaf):
                return f"is not right: a value is {leaf}"
        return PLAIN

    def advice(self, got: Any, others: Mapping[str, "Concealed"]) -> str:
        """The remark on ``got`` and, if its form is right, the slip that can be undone, or whose value it is.

        ``others`` are values that the question asks for beside this one, and that are wrong as well. Nothing
        else of what is expected shows. Which of several booleans is wrong would be the answer: only their
        number is said.
        """
        if (remark := self.remark(got)) != PLAIN:
            return remark
        leaves = _leaves(got)
        wrong = [i for i, leaf in enumerate(leaves) if not self._is(i, leaf)]
        if any(isinstance(leaf, bool) for leaf in leaves):
            are = "is" if len(wrong) == 1 else "are"
            several = f": {len(wrong)} of its {len(leaves)} values {are} wrong" if len(leaves) > 1 else ""
            return f"{PLAIN}{several}"
        another = next(
            (f"it is what {name} should be" for name, one in others.items() if one.equals(got)), ""
        )
        told = another or self._slip(wrong[0], leaves[wrong[0]])
        where = "" if len(leaves) == 1 else f" at {', '.join(map(str, wrong))} (counted from 0)"
        return f"{PLAIN}{where}{told and ': ' + told}"

    def _slip(self, i: int, leaf: Any) -> str:
        """What has to be done to a number to make it right, if it is little."""
        if not isinstance(leaf, int | float) or abs(leaf) > 1e300:
            return ""
        rough = self.rough[i] if self.rough else ""
        if rough and _rough(f"{self.salt}/{i}", float(leaf), self.digits) == rough:
            told = f"{self.digits - FEWER_DIGITS} {DIGITS}, and {self.digits} are compared"
            return f"{told}: let Python compute it, and do not round"
        for told, changed in undone(leaf):
            exact = [f"i:{round(changed)}"] if abs(changed) < 1e15 and changed == round(changed) else []
            texts = [*exact, f"f:{changed:.{self.digits - 1}e}"]
            if any(_slow_hash(f"{self.salt}/{i}", text) == self.digests[i] for text in texts):
                return told
        return ""


def conceal(value: Any, salt: str, digits: int, *, telling: bool = False) -> Concealed:
    """Hide a value: each of its numbers, booleans or strings becomes a salted slow hash.

    With ``telling`` it can tell who comes near that the last digits are wrong.
    """
    leaves = _leaves(value)
    if len(leaves) > MAX_CONCEALED or any(not isinstance(leaf, bool | int | float | str) for leaf in leaves):
        raise SpecificationError(
            f"{salt}: a derive output is at most {MAX_CONCEALED} numbers, booleans or strings, not {value!r}"
        )
    digests = [_slow_hash(f"{salt}/{i}", _stored_text(leaf, digits)) for i, leaf in enumerate(leaves)]
    rough = tuple(_rough(f"{salt}/{i}", leaf, digits) for i, leaf in enumerate(leaves)) if telling else ()
    return Concealed(salt, digits, tuple(digests), rough)
