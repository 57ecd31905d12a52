"""What all configurations share: they become plain dictionaries and come back, and say which value is wrong.

A configuration is a frozen dataclass that checks itself when it is made. :class:`ConfigValues` is its base;
the functions refuse a single value, and say what would be right.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, asdict, fields
from difflib import get_close_matches
from typing import Any, TypeVar

__all__ = [
    "ConfigValues",
    "check_above_zero",
    "check_choice",
    "check_flag",
    "check_number",
    "check_probability",
    "check_start_token",
    "check_whole",
]

LARGEST = sys.float_info.max
MOST_LAYERS = 1_000
"""The most layers that a configuration may ask for."""

Config = TypeVar("Config", bound="ConfigValues")


class ConfigValues:
    """The base of configurations, each of which is a dataclass of plain values."""

    def to_dict(self) -> dict[str, Any]:
        """All values by name, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls: type[Config], values: Mapping[str, Any]) -> Config:
        """The configuration with these values; names left out take their defaults.

        Raises
        ------
        ValueError
            If a name is unknown or a value without a default is missing, naming it, or if a value is wrong.
        """
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                hint = _nearest(name, known) or f"; known: {', '.join(known)}"
                raise ValueError(f"the configuration has no setting {name!r}{hint}")
        missing = [f.name for f in fields(cls) if f.default is MISSING and f.name not in values]
        if missing:
            raise ValueError(f"the configuration lacks {' and '.join(missing)}")
        return cls(**values)

    def _check(self, check: Callable[..., None], *names: str, **right: Any) -> None:
        """Check each of these values; one that is ``None`` by default may be ``None``."""
        optional = {field.name for field in fields(self) if field.default is None}
        for name in names:
            value = getattr(self, name)
            if value is not None or name not in optional:
                check(name, value, **right)


def check_whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse ``value`` unless it is a whole number from ``least`` to ``most``, which ``None`` leaves open.

    Raises
    ------
    ValueError
        Naming the value and its range.
    """
    if _is_whole(value) and value >= least and (most is None or value <= most):
        return
    if most is not None:
        right = f"a whole number from {least} to {most}"
    else:
        right = "a positive whole number" if least == 1 else f"a whole number of at least {least}"
    raise ValueError(f"{name} must be {right}, got {value!r}")


def check_start_token(value: Any, vocab_size: int) -> None:
    """Refuse ``value`` as a ``start_token`` unless it is in the vocabulary.

    Raises
    ------
    ValueError
        Naming the value and the vocabulary's range.
    """
    if not _is_whole(value) or not 0 <= value < vocab_size:
        right = f"a token, a whole number from 0 to {vocab_size - 1}"
        raise ValueError(f"start_token must be {right}, got {value!r}")


def check_number(name: str, value: Any, least: int | float, most: int | float | None = None) -> None:
    """Refuse ``value`` unless it is a finite number from ``least`` to ``most``, which ``None`` leaves open.

    Raises
    ------
    ValueError
        Naming the value and its range.
    """
    if not _is_number(value) or value < least or (most is not None and value > most):
        right = f"finite number of at least {least}" if most is None else f"number from {least} to {most}"
        raise ValueError(f"{name} must be a {right}, got {value!r}")


def check_above_zero(name: str, value: Any) -> None:
    """Refuse ``value`` unless it is a finite number above 0.

    Raises
    ------
    ValueError
        Naming the value.
    """
    if not _is_number(value) or value <= 0:
        raise ValueError(f"{name} must be a finite number above 0, got {value!r}")


def check_probability(name: str, value: Any) -> None:
    """Refuse ``value`` unless it is a number of at least 0 and below 1: a probability of dropping something.

    Raises
    ------
    ValueError
        Naming the value and its range.
    """
    if not _is_number(value) or not 0 <= value < 1:
        raise ValueError(f"{name} must be a number with 0 <= {name} < 1, got {value!r}")


def check_flag(name: str, value: Any) -> None:
    """Refuse ``value`` unless it is ``True`` or ``False``.

    Raises
    ------
    ValueError
        Naming the value.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {value!r}")


def check_choice(what: str, value: Any, choices: Iterable[str]) -> None:
    """Refuse ``value`` unless it is one of ``choices``.

    Raises
    ------
    ValueError
        Listing the choices, and naming the one that was probably meant.
    """
    choices = tuple(choices)
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        raise ValueError(f"{what} {value!r} is not one of {listed}{_nearest(value, choices)}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _nearest(value: Any, choices: Iterable[str]) -> str:
    close = get_close_matches(str(value), choices, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
