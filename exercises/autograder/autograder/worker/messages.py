"""Messages between the trusted process and the worker: one JSON header, then the raw bytes of its arrays.

The types say what a message may hold and how much of it; ``read_message`` refuses everything else before it
makes an array. What a worker sends comes from code that nobody should trust.
"""

import math
import struct
from collections.abc import Sequence
from typing import Annotated, Any, BinaryIO, Literal, TypeVar

import msgspec
import numpy as np

from autograder.worker.values import DTYPES, MAX_NODES, ProtocolError, UnsupportedValue

VERSION = 3
MAX_HEADER = 4 << 20
MAX_BODY = 64 << 20
MAX_ERROR = 500
MAX_STOPPED = 100
# how labels begin of cells that are not the student's: no message says where in them something happened
SOLUTION = "solution of "

_Text = Annotated[str, msgspec.Meta(max_length=MAX_ERROR)]
_Length = Annotated[int, msgspec.Meta(ge=0, le=MAX_BODY)]


class Layout(msgspec.Struct):
    """The type and shape of an array whose bytes follow the header."""

    dtype: Literal[DTYPES]  # type: ignore[valid-type]
    shape: Annotated[list[_Length], msgspec.Meta(max_length=16)]

    def __post_init__(self) -> None:
        if math.prod(max(1, n) for n in self.shape) > MAX_BODY:
            raise ValueError("an array with a shape that is too large")

    @property
    def size(self) -> int:
        """The bytes of the array."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize


class Message(msgspec.Struct, kw_only=True, tag_field="kind", tag=str.lower):
    """What every message has: the layouts of its arrays."""

    arrays: Annotated[list[Layout], msgspec.Meta(max_length=MAX_NODES)] = []


class Request(Message):
    """Cells to execute, by label, and parts: the text of a program and the packed inputs of its cases.

    The cells together have ``seconds``, each part ``part_seconds``. ``withheld`` packages are not imported.
    """

    cells: list[tuple[str, str]]
    parts: list[tuple[str, list[Any]]]
    forbids: list[str]
    withheld: list[str]
    imports: list[str]
    memory: int
    seconds: float
    part_seconds: float


class Mark(Message):
    """The end of a request, which the worker gives back when all of it is answered."""

    mark: str


class Error(msgspec.Struct):
    """An exception, and the last line of the student's cells that it passed through, of the answer's first.

    ``deeper`` is the cell of another question that the line calls and in which it comes up, if there is one.
    """

    type: _Text = ""
    builtin: _Text = ""
    message: _Text = ""
    cell: _Text = ""
    line: int | None = None
    deeper: _Text = ""


class Ready(Message):
    """The worker has started."""

    version: int
    forks: bool


class Forbidden(Message):
    """The student's code uses what the question forbids."""

    name: str


class Cells(Message):
    """The cells were executed, or one without which nothing can be judged gave an error.

    ``stopped`` are the errors of cells that ended early, by label: what they had defined until then counts.
    """

    error: Error | None
    stopped: Annotated[dict[_Text, Error], msgspec.Meta(max_length=MAX_STOPPED)] = {}


class Case(Message):
    """The packed outputs of one case and the inputs that were changed in place, or the error."""

    error: Error | None = None
    value: Any = None
    changed: list[str] = []


class Done(Message):
    """Everything was answered; ``ended`` is the exit status of the process that ran the cells."""

    ended: int
    mark: str


Reply = Ready | Forbidden | Cells | Case | Done
Received = TypeVar("Received")


def write_message(stream: BinaryIO, message: Message, arrays: Sequence[np.ndarray] = ()) -> None:
    """Send a message and its arrays.

    Raises
    ------
    UnsupportedValue
        If that is more than a reader accepts.
    """
    layouts = [Layout(a.dtype.str, list(a.shape)) for a in arrays]
    text = msgspec.json.encode(msgspec.structs.replace(message, arrays=layouts))
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


def read_message(stream: BinaryIO, kind: type[Received]) -> tuple[Received, list[np.ndarray]] | None:
    """Read the next message, which has to be one of ``kind``; None at the end of the stream.

    Raises
    ------
    ProtocolError
        If the bytes are no such message.
    """
    start = stream.read(4)
    if not start:
        return None
    length = struct.unpack("<I", start + _read_exactly(stream, 4 - len(start)))[0]
    if length > MAX_HEADER:
        raise ProtocolError("a header larger than the limit")
    try:
        message: Any = msgspec.json.decode(_read_exactly(stream, length), type=kind)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a header of no known form: {error}") from None
    if sum(layout.size for layout in message.arrays) > MAX_BODY:
        raise ProtocolError("arrays larger than the limit")
    return message, [_array(_read_exactly(stream, layout.size), layout) for layout in message.arrays]


def _array(content: bytes, layout: Layout) -> np.ndarray:
    array = np.frombuffer(content, dtype=layout.dtype).reshape(layout.shape)
    # a byte that is neither 0 nor 1 would be a boolean that equals neither, or both
    return array.view(np.uint8) != 0 if array.dtype.kind == "b" else array
