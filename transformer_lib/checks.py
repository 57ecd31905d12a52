"""Checks: what configurations, constructors and models refuse, and how they say what would be right.

A configuration is a frozen dataclass that checks itself when it is made; :class:`ConfigValues` is its base.
The functions check a single value, or the tokens that a model is given; one says how to install what is
missing. Inner functions trust their callers.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from difflib import get_close_matches
from typing import Any, TypeVar

import torch
from torch import Tensor

__all__ = [
    "ConfigValues",
    "check_above_zero",
    "check_choice",
    "check_divides",
    "check_flag",
    "check_inputs",
    "check_lengths",
    "check_not_negative",
    "check_number",
    "check_position_ids",
    "check_positive",
    "check_probability",
    "check_reading",
    "check_sample_size",
    "check_token",
    "check_tokens",
    "check_whole",
    "how_to_install",
]

SIGNED_INTEGERS = (torch.int8, torch.int16, torch.int32, torch.int64)
LARGEST = sys.float_info.max

Config = TypeVar("Config", bound="ConfigValues")


@dataclass(frozen=True)
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


def _shown(value: Any) -> str:
    """A refused value; a number of NumPy or torch is told apart from Python's, which it may look like."""
    is_foreign = hasattr(value, "item") and getattr(value, "ndim", None) == 0
    return f"{value!r}" + ": take its .item(), a number of Python" * is_foreign


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
    raise ValueError(f"{name} must be {right}, got {_shown(value)}")


def check_token(name: str, value: Any, vocab_size: int) -> None:
    """Refuse ``value`` unless it is in the vocabulary.

    Raises
    ------
    ValueError
        Naming the value and the vocabulary's range.
    """
    if not _is_whole(value) or not 0 <= value < vocab_size:
        right = f"a token, a whole number from 0 to {vocab_size - 1}"
        raise ValueError(f"{name} must be {right}, got {_shown(value)}")


def check_number(name: str, value: Any, least: int | float, most: int | float | None = None) -> None:
    """Refuse ``value`` unless it is a finite number from ``least`` to ``most``, which ``None`` leaves open.

    Raises
    ------
    ValueError
        Naming the value and its range.
    """
    if not _is_number(value) or value < least or (most is not None and value > most):
        right = f"finite number of at least {least}" if most is None else f"number from {least} to {most}"
        raise ValueError(f"{name} must be a {right}, got {_shown(value)}")


def check_above_zero(name: str, value: Any) -> None:
    """Refuse ``value`` unless it is a finite number above 0.

    Raises
    ------
    ValueError
        Naming the value.
    """
    if not _is_number(value) or value <= 0:
        raise ValueError(f"{name} must be a finite number above 0, got {_shown(value)}")


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


def check_positive(**sizes: int) -> None:
    """Refuse sizes below 1.

    Raises
    ------
    ValueError
        Naming the size and its value.
    """
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1; got {size}")


def check_divides(name: str, value: int, of: str, whole: int) -> None:
    """Refuse ``value`` unless ``whole`` is a multiple of it.

    Raises
    ------
    ValueError
        Naming both, and what would divide.
    """
    if whole % value:
        divisors = (divisor for divisor in range(1, min(whole, 10_000) + 1) if whole % divisor == 0)
        right = " or ".join(map(str, divisors))
        raise ValueError(f"{name}={value} does not divide {of}={whole}: take {right}")


def check_not_negative(**counts: int) -> None:
    """Refuse counts and seeds below 0.

    Raises
    ------
    ValueError
        Naming the count and its value.
    """
    for name, count in counts.items():
        if count < 0:
            raise ValueError(f"{name} must be at least 0; got {count}")


def check_sample_size(n: int, length: int, longest: int | None = None) -> None:
    """Refuse a negative number of samples, a negative length, and a length above ``longest``.

    Raises
    ------
    ValueError
        Naming the number and its range.
    """
    if n < 0:
        raise ValueError(f"n counts samples and cannot be negative; got {n}")
    if length < 0 or (longest is not None and length > longest):
        limit = "cannot be negative" if longest is None else f"must be from 0 to {longest} here"
        raise ValueError(f"length counts tokens and {limit}; got {length}")


def check_tokens(tokens: Tensor, vocab_size: int, longest: int | None = None) -> None:
    """Refuse ``tokens`` unless they are signed integers, (batch, time), each in ``0..vocab_size - 1``.

    Raises
    ------
    ValueError
        Naming the first offending value, its position and the range; or a time above ``longest``.
    """
    _check_form(tokens, longest)
    if tokens.numel() == 0 or (tokens.min() >= 0 and tokens.max() < vocab_size):
        return
    row, time = ((tokens < 0) | (tokens >= vocab_size)).nonzero()[0].tolist()
    value, largest = tokens[row, time].item(), vocab_size - 1
    raise ValueError(f"token {value} at batch {row}, time {time} is outside the vocabulary 0..{largest}")


def check_inputs(tokens: Tensor, vocab_size: int, longest: int | None = None) -> None:
    """The same as :func:`check_tokens` for a model's forward pass.

    Values are read only where that is free: in CPU memory, outside compiled graphs.
    """
    if tokens.is_cpu and not torch.compiler.is_compiling():
        check_tokens(tokens, vocab_size, longest)
    else:
        _check_form(tokens, longest)


def check_position_ids(position_ids: Tensor | None, tokens: Tensor, n_positions: int) -> None:
    """Refuse positions that are not one for each token, or in CPU memory not below ``n_positions``.

    Raises
    ------
    ValueError
        Naming the shape, the type or the position.
    """
    if position_ids is None:
        return
    if position_ids.shape != tokens.shape or position_ids.dtype not in SIGNED_INTEGERS:
        got = f"{position_ids.dtype}, {tuple(position_ids.shape)}"
        raise ValueError(f"position_ids must be one integer for each token, {tuple(tokens.shape)}; got {got}")
    if position_ids.is_cpu and not torch.compiler.is_compiling() and position_ids.numel():
        least, most = (int(bound) for bound in position_ids.aminmax())
        if least < 0 or most >= n_positions:
            wrong = least if least < 0 else most
            raise ValueError(f"position_ids must be from 0 to {n_positions - 1}; got {wrong}")


def check_reading(tokens: Tensor, vocab_size: int, n_rows: int) -> None:
    """Refuse to read ``tokens`` unless there is at least one for each row of a state.

    Raises
    ------
    ValueError
        Naming the rows and the shape, or as :func:`check_inputs`.
    """
    if tokens.ndim != 2 or tokens.shape[1] == 0 or len(tokens) != n_rows:
        raise ValueError(f"{n_rows} rows read at least one token each; got the shape {tuple(tokens.shape)}")
    check_inputs(tokens, vocab_size)


def check_lengths(name: str, lengths: Tensor | None, tokens: Tensor) -> None:
    """Refuse ``lengths`` unless they are one integer for each row of ``tokens``, from 0 to the row's length.

    There may be none. Values are read only where that is free: in CPU memory, outside compiled graphs.

    Raises
    ------
    ValueError
        Naming the range.
    """
    if lengths is None or tokens.ndim != 2:
        return  # tokens of another form are refused by themselves
    batch, time = tokens.shape
    is_looked_at = lengths.is_cpu and not torch.compiler.is_compiling()
    is_right = not lengths.is_floating_point() and lengths.shape == (batch,)
    if is_right and not (is_looked_at and ((lengths < 0) | (lengths > time)).any()):
        return
    raise ValueError(f"{name} must be {batch} whole numbers from 0 to {time}; got {lengths.tolist()}")


def how_to_install(extra: str) -> str:
    """The command that installs a group of optional packages of ``pyproject.toml``."""
    return f"in the course's folder, python -m pip install '.[{extra}]'"


def _check_form(tokens: Tensor, longest: int | None) -> None:
    if tokens.ndim != 2:
        raise ValueError(f"tokens need two dimensions, (batch, time); got the shape {tuple(tokens.shape)}")
    if tokens.dtype not in SIGNED_INTEGERS:
        raise ValueError(f"tokens need a signed integer type such as torch.long; got {tokens.dtype}")
    if longest is not None and tokens.shape[1] > longest:
        raise ValueError(f"the model reads at most {longest} tokens; got {tokens.shape[1]}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _nearest(value: Any, choices: Iterable[str]) -> str:
    close = get_close_matches(str(value), choices, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
