"""Values that cross between the trusted process and the worker: JSON beside the arrays that it refers to.

A value is made of numbers, strings, booleans, None, lists, tuples, dicts, arrays and tensors. Nothing else
crosses, and nothing is ever unpickled. ``unpack`` trusts nobody: it bounds how many entries a value has, how
deep it is and how large its integers are, and a value may refer to each array once.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from autograder.authoring.spec import Interval

DTYPES = ("|b1", "|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", "<f8", "<c8", "<c16")
MAX_DEPTH = 12
MAX_NODES = 50_000
MAX_TEXT = 20_000
MAX_BITS = 4096


class ProtocolError(ValueError):
    """Bytes that are no message, or a value that cannot cross."""


class UnsupportedValue(ProtocolError):
    """A value of a type, or of a size, that cannot cross."""


@dataclass(frozen=True)
class AsTensor:
    """An array that becomes a torch tensor inside the worker."""

    array: np.ndarray


class _Form(msgspec.Struct, tag_field="$"):
    """What JSON has no form for, as an object that says what it is."""


class _Ellipsis(_Form, tag="ellipsis"):
    pass


class _Float(_Form, tag="float"):
    v: Literal["nan", "inf", "-inf"]


class _Interval(_Form, tag="interval"):
    v: tuple[float, float]


class _Array(_Form, tag="array"):
    i: Annotated[int, msgspec.Meta(ge=0)]


class _Tensor(_Form, tag="tensor"):
    i: Annotated[int, msgspec.Meta(ge=0)]


class _Tuple(_Form, tag="tuple"):
    v: list[Any]


class _Dict(_Form, tag="dict"):
    v: list[tuple[str | int | bool, Any]]


_FORMS = _Ellipsis | _Float | _Interval | _Array | _Tensor | _Tuple | _Dict


def as_array(value: Any) -> np.ndarray:
    """The values of a tensor, tensor subclass or array as a plain little-endian array."""
    if not isinstance(value, np.ndarray):
        import torch

        with torch._C.DisableTorchFunctionSubclass():
            plain = torch.Tensor.detach(value)
            if plain.layout is not torch.strided:
                plain = plain.to_dense()
            plain = plain.as_subclass(torch.Tensor).cpu()
            if plain.dtype is torch.bfloat16:
                plain = plain.float()
            value = plain.resolve_conj().resolve_neg().contiguous().numpy()
    array = np.asarray(value, order="C")
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if array.dtype.str not in DTYPES:
        raise UnsupportedValue(f"an array of {array.dtype}")
    return array


def clean(text: str) -> str:
    """The text, with everything that UTF-8 cannot encode replaced."""
    return text.encode(errors="replace").decode()


def _is_tensor(value: Any) -> bool:
    return any(f"{c.__module__}.{c.__qualname__}" == "torch.Tensor" for c in type(value).__mro__)


class _Budget:
    def __init__(self) -> None:
        self.nodes = MAX_NODES
        self.used: set[int] = set()

    def spend(self, depth: int) -> None:
        self.nodes -= 1
        if self.nodes < 0 or depth > MAX_DEPTH:
            raise UnsupportedValue(f"a value of more than {MAX_NODES:,} entries or {MAX_DEPTH} levels")

    def take(self, index: int, arrays: list[np.ndarray]) -> np.ndarray:
        if index >= len(arrays):
            raise ProtocolError("a value refers to an array that is not in the message")
        if index in self.used:
            raise ProtocolError("a value refers to one array twice")
        self.used.add(index)
        return arrays[index]


def pack(value: Any, arrays: list[np.ndarray]) -> Any:
    """Convert ``value`` to JSON and append its arrays to ``arrays``.

    Raises
    ------
    UnsupportedValue
        If something in the value cannot cross; the message names it.
    """
    return _pack(value, arrays, _Budget(), 0)


def _pack(value: Any, arrays: list[np.ndarray], budget: _Budget, depth: int) -> Any:
    budget.spend(depth)
    if value is None or value is True or value is False:
        return value
    if value is ...:
        return {"$": "ellipsis"}
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise UnsupportedValue(f"a string of {len(value):,} characters")
        return clean(str.__str__(value))
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        whole = int(value)
        if whole.bit_length() > MAX_BITS:
            raise UnsupportedValue(f"an integer of {whole.bit_length():,} bits")
        return whole
    if isinstance(value, Real | Fraction) or type(value).__name__ == "Decimal":
        number = float(value)
        return number if math.isfinite(number) else {"$": "float", "v": str(number)}
    if isinstance(value, Interval):
        return {"$": "interval", "v": [value.low, value.high]}
    if isinstance(value, AsTensor):
        arrays.append(as_array(value.array))
        return {"$": "tensor", "i": len(arrays) - 1}
    if isinstance(value, np.ndarray | np.complexfloating) or _is_tensor(value):
        arrays.append(as_array(np.asarray(value) if isinstance(value, np.generic) else value))
        return {"$": "tensor" if _is_tensor(value) else "array", "i": len(arrays) - 1}
    if isinstance(value, list | tuple):
        items = [_pack(item, arrays, budget, depth + 1) for item in value]
        return items if isinstance(value, list) else {"$": "tuple", "v": items}
    if isinstance(value, dict):
        pairs = []
        for key, item in value.items():
            if not isinstance(key, str | int):
                raise UnsupportedValue(f"a dict with a key of type {type(key).__name__}")
            packed_key = _pack(key, arrays, budget, depth + 1)
            pairs.append([packed_key, _pack(item, arrays, budget, depth + 1)])
        return {"$": "dict", "v": pairs}
    raise UnsupportedValue(f"a value of type {type(value).__name__}")


def _unchanged(array: np.ndarray) -> np.ndarray:
    return array


def unpack(
    packed: Any,
    arrays: list[np.ndarray],
    *,
    tensor: Callable[[np.ndarray], Any] = _unchanged,
    array: Callable[[np.ndarray], Any] = _unchanged,
) -> Any:
    """Rebuild the value that ``pack`` converted; ``tensor`` and ``array`` convert what was one.

    Raises
    ------
    ProtocolError
        If no call of ``pack`` gives ``packed``.
    """
    budget = _Budget()

    def rebuilt(item: Any, depth: int) -> Any:
        budget.spend(depth)
        if item is None or isinstance(item, bool | str):
            return item
        if isinstance(item, int):
            if item.bit_length() > MAX_BITS:
                raise ProtocolError(f"an integer of {item.bit_length():,} bits")
            return item
        if isinstance(item, float):
            if not math.isfinite(item):
                raise ProtocolError("a number that is not finite")
            return item
        if isinstance(item, list):
            return [rebuilt(entry, depth + 1) for entry in item]
        if not isinstance(item, dict):
            raise ProtocolError("a value of no known form")
        try:
            form = msgspec.convert(item, _FORMS)
            if isinstance(form, _Interval):
                return Interval(*form.v)
        except ValueError as error:
            raise ProtocolError(f"a value of the form {str(item.get('$'))[:40]!r}: {error}") from None
        if isinstance(form, _Ellipsis):
            return ...
        if isinstance(form, _Float):
            return float(form.v)
        if isinstance(form, _Tensor):
            return tensor(budget.take(form.i, arrays))
        if isinstance(form, _Array):
            return array(budget.take(form.i, arrays))
        if isinstance(form, _Tuple):
            return tuple(rebuilt(entry, depth + 1) for entry in form.v)
        return {rebuilt(key, depth + 1): rebuilt(entry, depth + 1) for key, entry in form.v}

    return rebuilt(packed, 0)
