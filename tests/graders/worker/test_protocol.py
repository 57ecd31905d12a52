"""Messages: what is sent arrives, and what is no message is refused."""

import io
import json
import math
import struct
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch
from autograder.worker.messages import (
    MAX_BODY,
    MAX_ERROR,
    MAX_HEADER,
    Case,
    Message,
    Reply,
    Request,
    read_message,
    write_message,
)
from autograder.worker.values import (
    MAX_DEPTH,
    MAX_NODES,
    AsTensor,
    ProtocolError,
    UnsupportedValue,
    pack,
    unpack,
)
from hypothesis import given
from hypothesis import strategies as st

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


def sent(message: Message, arrays: list[np.ndarray]) -> tuple[Case, list[np.ndarray]]:
    stream = io.BytesIO()
    write_message(stream, message, arrays)
    stream.seek(0)
    return read_message(stream, Reply)


@given(VALUES)
def test_a_value_arrives_as_it_was_sent(value) -> None:
    arrays: list[np.ndarray] = []
    case, received = sent(Case(value=pack(value, arrays)), arrays)
    assert unpack(case.value, received) == value


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)])
def test_arrays_and_tensors_of_every_kind_arrive(dtype: str, shape: tuple[int, ...]) -> None:
    original = np.asarray(np.arange(math.prod(shape)).reshape(shape) % 5).astype(dtype)
    for value in (original, torch.from_numpy(original.copy()), np.array(original, order="F")):
        arrays: list[np.ndarray] = []
        case, received = sent(Case(value=pack(value, arrays)), arrays)
        back = unpack(case.value, received)
        assert back.shape == shape and back.dtype == original.dtype and (back == np.asarray(value)).all()


def test_tensors_come_back_as_tensors_only_where_asked() -> None:
    arrays: list[np.ndarray] = []
    packed = pack([AsTensor(np.ones(2)), np.ones(2)], arrays)
    tensor, array = unpack(packed, [a.copy() for a in arrays], tensor=torch.from_numpy)
    assert isinstance(tensor, torch.Tensor) and isinstance(array, np.ndarray)


def test_tensors_are_sent_by_their_numbers_whatever_their_form() -> None:
    base = torch.arange(6.0).reshape(2, 3)
    views = [
        base.T,
        base[:, 1:],
        base.clone().requires_grad_() * 1,
        base.to_sparse(),
        base.bfloat16(),
        torch.nn.Parameter(base),
    ]
    for value in views:
        arrays: list[np.ndarray] = []
        pack(value, arrays)
        dense = value.detach().to_dense() if value.is_sparse else value.detach()
        assert (arrays[0] == dense.float().numpy()).all()


@pytest.mark.parametrize(
    "value", [Fraction(1, 4), Decimal("0.25"), np.float32(0.25), np.array(0.25), torch.tensor(0.25)]
)
def test_numbers_of_other_types_are_numbers(value) -> None:
    arrays: list[np.ndarray] = []
    assert float(unpack(pack(value, arrays), arrays)) == 0.25


@pytest.mark.parametrize(
    "value",
    [object(), b"bytes", {1.5: 2}, {None: 1}, lambda: 0, {1, 2}, np.array(["a"]), 2**5000, "x" * 30_000],
)
def test_anything_else_is_refused_by_name(value) -> None:
    with pytest.raises(
        UnsupportedValue, match=r"a value of|an array of|a dict with|a string of|an integer of"
    ):
        pack(value, [])


def message(header, body: bytes = b"") -> io.BytesIO:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return io.BytesIO(struct.pack("<I", len(text)) + text + body)


def with_array(dtype: object = "<f4", shape: object = (1,)) -> io.BytesIO:
    return message({"kind": "case", "arrays": [{"dtype": dtype, "shape": shape}]}, bytes(64))


@pytest.mark.parametrize(
    "stream",
    [
        message(b"not json"),
        message(b"[" * 100_000),
        message(b'{"kind": "case", "value": ' + b"[" * 100_000),
        message(b'{"kind": "case", "value": NaN}'),
        message(b'{"kind": "case", "value": 1e999}'),
        message(b'{"kind": "case", "value": "\\ud800"}'),
        message(b'{"kind": "case", "value": "\xff"}'),
        message([1, 2]),
        message({"arrays": []}),
        message({"kind": "unheard of", "arrays": []}),
        message({"kind": "request", "arrays": []}),
        message({"kind": "case", "arrays": None}),
        message({"kind": "case", "arrays": ["<f4"]}),
        message({"kind": "case", "changed": [1]}),
        message({"kind": "case", "error": {"message": ["nested"]}}),
        message({"kind": "case", "error": {"message": "x" * (MAX_ERROR + 1)}}),
        message({"kind": "cells", "error": {"line": True}}),
        message({"kind": "done", "ended": 0}),
        message({"kind": "case", "arrays": [{"dtype": "<f4", "shape": []}] * (MAX_NODES + 1)}),
        message({"kind": "case", "arrays": [{"dtype": "<f8", "shape": [MAX_BODY // 16]}] * 3}),
        with_array("|O"),
        with_array(["<f4"]),
        with_array(shape=[-1]),
        with_array(shape=[True]),
        with_array(shape=[1.0]),
        with_array(shape="3"),
        with_array(shape=[1] * 40),
        with_array(shape=[MAX_BODY]),
        with_array(shape=[1 << 20] * 16),
        with_array(shape=[0] + [1 << 20] * 15),
        io.BytesIO(struct.pack("<I", MAX_HEADER + 1) + b" " * 10),
    ],
)
def test_bytes_that_are_no_message_are_refused(stream: io.BytesIO) -> None:
    with pytest.raises(ProtocolError):
        read_message(stream, Reply)


def test_what_is_refused_differs_from_a_message_in_just_that() -> None:
    assert read_message(with_array(), Reply)[1][0].shape == (1,)
    longest = {"kind": "case", "error": {"message": "x" * MAX_ERROR}, "unknown": 1}
    assert read_message(message(longest), Reply)[0].error.message == "x" * MAX_ERROR


def test_a_worker_reads_requests_alone() -> None:
    with pytest.raises(ProtocolError):
        read_message(message({"kind": "case"}), Request)


def test_a_value_is_bounded_in_depth_and_entries() -> None:
    deep: list = []
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert unpack(deep, []) == deep and unpack([0] * (MAX_NODES - 1), [])
    for value in ([deep], [0] * MAX_NODES, [[0] * (MAX_NODES // 2)] * 2, {"$": "tuple", "v": [deep]}):
        with pytest.raises(ProtocolError, match="levels"):
            unpack(value, [])


def test_half_a_character_is_replaced_before_it_is_sent() -> None:
    case, _ = sent(Case(value=pack({"\ud800": "\udfff"}, [])), [])
    assert unpack(case.value, []) == {"?": "?"}


@pytest.mark.parametrize("cut", [2, 6, 40, -3])
def test_a_message_cut_short_is_noticed(cut: int) -> None:
    stream = io.BytesIO()
    write_message(stream, Case(), [np.ones((3, 4))])
    with pytest.raises(EOFError):
        read_message(io.BytesIO(stream.getvalue()[:cut]), Reply)


@pytest.mark.parametrize(
    "packed",
    [
        {"$": "array", "i": 1},
        {"$": "array", "i": -1},
        {"$": "array", "i": True},
        {"$": "tensor", "i": "0"},
        {"$": "object", "v": []},
        {"$": "tuple", "v": 3},
        {"$": "dict", "v": [[1]]},
        {"$": "dict", "v": [[[1], 2]]},
        {"$": "float", "v": "1e5"},
        {"plain": "dict"},
    ],
)
def test_a_reply_of_no_known_form_is_refused(packed) -> None:
    with pytest.raises(ProtocolError):
        unpack(packed, [np.ones(1)])


@given(st.binary(max_size=200))
def test_random_bytes_never_do_more_than_be_refused(data: bytes) -> None:
    try:
        read_message(io.BytesIO(data), Reply)
    except (ProtocolError, EOFError):
        return
    assert not data or len(data) >= 4
