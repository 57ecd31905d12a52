"""Messages between the trusted process and the worker: one JSON header, then the raw bytes of its arrays.

A value is made of numbers, strings, booleans, None, lists, tuples, dicts, arrays and tensors. Nothing else
crosses, and never pickle. Whatever reads a message checks every field of it before use.
"""

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, BinaryIO

import numpy as np

from autograder.spec import Interval, SpecificationError

VERSION = 1
DTYPES = ("|b1", "|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", "<f8", "<c8", "<c16")
MAX_HEADER = 4 << 20
MAX_BODY = 64 << 20
MAX_DEPTH = 12
MAX_NODES = 50_000
MAX_TEXT = 20_000
MAX_DIMENSIONS = 16
MAX_BITS = 4096


class ProtocolError(ValueError):
    """Bytes that are no message of this protocol, or a value that does not cross."""


class UnsupportedValue(ProtocolError):
    """A value of a type, or of a size, that does not cross."""


@dataclass(frozen=True)
class AsTensor:
    """An array that becomes a torch tensor inside the worker."""

    array: np.ndarray


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
    """The text, with what cannot be written as UTF-8 replaced."""
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

    def take(self, index: int) -> None:
        if index in self.used:
            raise ProtocolError("a value refers to one array twice")
        self.used.add(index)


def pack(value: Any, arrays: list[np.ndarray]) -> Any:
    """JSON for ``value``, its arrays appended to ``arrays``; UnsupportedValue names what does not cross."""
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
        return str.__str__(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        number = int(value)
        if number.bit_length() > MAX_BITS:
            raise UnsupportedValue(f"an integer of {number.bit_length():,} bits")
        return number
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


def _as_it_is(array: np.ndarray) -> np.ndarray:
    return array


def unpack(
    packed: Any,
    arrays: list[np.ndarray],
    *,
    tensor: Callable[[np.ndarray], Any] = _as_it_is,
    array: Callable[[np.ndarray], Any] = _as_it_is,
) -> Any:
    """The value that ``pack`` made JSON of; ``tensor`` and ``array`` make what stood for these."""
    return _unpack(packed, arrays, {"tensor": tensor, "array": array}, _Budget(), 0)


def _unpack(packed: Any, arrays: list, makers: dict[str, Callable], budget: _Budget, depth: int) -> Any:
    budget.spend(depth)
    if isinstance(packed, str):
        return clean(packed)
    if packed is None or isinstance(packed, bool):
        return packed
    if isinstance(packed, int | float):
        if isinstance(packed, int) and packed.bit_length() > MAX_BITS:
            raise ProtocolError(f"an integer of {packed.bit_length():,} bits")
        if isinstance(packed, float) and not math.isfinite(packed):
            raise ProtocolError("a number that is not finite")
        return packed
    if isinstance(packed, list):
        return [_unpack(item, arrays, makers, budget, depth + 1) for item in packed]
    if not isinstance(packed, dict):
        raise ProtocolError("a value of no known form")
    form, content = packed.get("$"), packed.get("v")
    if form == "ellipsis":
        return ...
    if form == "float" and content in ("nan", "inf", "-inf"):
        return float(content)
    if isinstance(form, str) and form in makers:
        index = packed.get("i")
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(arrays):
            raise ProtocolError("a value refers to an array that is not in the message")
        budget.take(index)
        return makers[form](arrays[index])
    if not isinstance(content, list):
        raise ProtocolError(f"a value of form {str(form)[:40]!r} without content")
    if form == "tuple":
        return tuple(_unpack(item, arrays, makers, budget, depth + 1) for item in content)
    if form == "interval" and len(content) == 2 and all(isinstance(v, int | float) for v in content):
        try:
            return Interval(*content)
        except (SpecificationError, OverflowError):
            raise ProtocolError("an interval of no known form") from None
    if form == "dict":
        result = {}
        for pair in content:
            if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str | int)):
                raise ProtocolError("a dict entry of no known form")
            key = _unpack(pair[0], arrays, makers, budget, depth + 1)
            result[key] = _unpack(pair[1], arrays, makers, budget, depth + 1)
        return result
    raise ProtocolError(f"a value of unknown form {str(form)[:40]!r}")


def write_message(stream: BinaryIO, header: dict[str, Any], arrays: list[np.ndarray] = ()) -> None:
    """Sends ``header`` as JSON, and ``arrays``; UnsupportedValue if that is more than a reader accepts."""
    described = [{"dtype": a.dtype.str, "shape": list(a.shape)} for a in arrays]
    text = json.dumps({**header, "arrays": described}, allow_nan=False).encode()
    size = sum(a.nbytes for a in arrays)
    if len(text) > MAX_HEADER or size > MAX_BODY:
        raise UnsupportedValue(f"a value of {max(len(text), size) / 1e6:,.0f} MB")
    stream.write(struct.pack("<I", len(text)) + text)
    for array in arrays:
        stream.write(array.tobytes())
    stream.flush()


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    pieces = []
    while size:
        piece = stream.read(min(size, 1 << 20))
        if not piece:
            raise EOFError("the stream ended inside a message")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def read_message(stream: BinaryIO) -> tuple[dict[str, Any], list[np.ndarray]] | None:
    """The next message, checked; None at the end of the stream. ProtocolError if it is none."""
    start = stream.read(4)
    if not start:
        return None
    length = struct.unpack("<I", start + _read_exactly(stream, 4 - len(start)))[0]
    if length > MAX_HEADER:
        raise ProtocolError("a header larger than the limit")
    try:
        header = json.loads(_read_exactly(stream, length))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a header that is not JSON: {error}") from None
    if not isinstance(header, dict) or not isinstance(header.get("arrays"), list):
        raise ProtocolError("a header without its list of arrays")
    if len(header["arrays"]) > MAX_NODES:
        raise ProtocolError("more arrays than the limit")
    layouts = [_layout(described) for described in header["arrays"]]
    if sum(size for *_, size in layouts) > MAX_BODY:
        raise ProtocolError("arrays larger than the limit")
    return header, [_array(_read_exactly(stream, size), dtype, shape) for dtype, shape, size in layouts]


def _array(content: bytes, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    array = np.frombuffer(content, dtype=dtype).reshape(shape)
    # a byte that is neither 0 nor 1 would be a boolean that equals neither, or both
    return array.view(np.uint8) != 0 if dtype.kind == "b" else array


def _layout(described: Any) -> tuple[np.dtype, tuple[int, ...], int]:
    if not isinstance(described, dict) or described.get("dtype") not in DTYPES:
        raise ProtocolError("an array of no known dtype")
    shape = described.get("shape")
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS:
        raise ProtocolError("an array without a shape")
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 or n > MAX_BODY for n in shape):
        raise ProtocolError("an array with a shape of no known form")
    if math.prod(max(1, n) for n in shape) > MAX_BODY:
        raise ProtocolError("an array with a shape that is too large")
    dtype = np.dtype(described["dtype"])
    return dtype, tuple(shape), math.prod(shape) * dtype.itemsize
