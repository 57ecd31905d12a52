"""Replies and notebooks that are made to hurt the process that judges them."""

import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from autograder.judging.compare import MAX_FINGERPRINTED, fingerprint
from autograder.judging.conceal import conceal
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.judging.notebook import MAX_CELL, same_code
from autograder.worker.messages import VERSION
from autograder.worker.session import Limits, Session, _Connection
from autograder.worker.values import ProtocolError, unpack


def test_a_reply_refers_to_an_array_once() -> None:
    value, arrays = {"$": "tensor", "i": 0}, [np.zeros(3)]
    assert unpack([value], arrays)[0].shape == (3,)
    with pytest.raises(ProtocolError, match="twice"):
        unpack([value] * 2, arrays)


@pytest.mark.parametrize("ends", [[5.0, 1.0], [10**400, 10**401], [True, 0]])
def test_an_interval_without_inside_is_no_reply(ends: list) -> None:
    with pytest.raises(ProtocolError, match="interval"):
        unpack({"$": "interval", "v": ends}, [])


def test_more_numbers_than_any_mistake_has_equal_no_mistake() -> None:
    fitting, large = (np.zeros(MAX_FINGERPRINTED + more, dtype=np.int8) for more in (0, 1))
    for value, equal in [
        ({"output": fitting}, True),
        ({"output": large}, False),
        ([large[:9], large], False),
    ]:
        one, other = fingerprint(value, []), fingerprint(value, [])
        assert one.matches(other, rtol=1.0, atol=1.0) is equal


def test_an_array_of_millions_is_no_derived_number() -> None:
    hidden = conceal(1.0, "salt", 6)
    assert hidden.equals(np.ones(1))
    assert not hidden.equals(np.broadcast_to(np.ones(1), (10**15,)))


class _Unused(Session):
    def run(self, *arguments, **settings):
        raise AssertionError("nothing is to be run")


@pytest.mark.parametrize("question, cells", [("01.1", ["01.1"]), ("01.4", ["01.1"]), ("01.1", ["setup"])])
def test_a_cell_that_would_fill_the_parser_is_not_read(
    question: str, cells: list[str], sample_exam: Exam
) -> None:
    long = "a\n" * MAX_CELL
    answers = {question: "x = 1", **dict.fromkeys(cells, long)}
    result = evaluate(sample_exam, question, answers.pop("setup", None), answers, _Unused())
    assert (result.status, result.points) == ("unreadable", 0)
    assert f"more than {MAX_CELL:,} characters" in result.feedback
    assert not same_code(long, long)


class _Flood(io.RawIOBase):
    """A worker's output that says it is ready and then sends one message for ever."""

    def __init__(self, message: dict) -> None:
        self.endless = self._packed(message)
        self.rest = self._packed({"kind": "ready", "version": VERSION, "forks": True})

    @staticmethod
    def _packed(message: dict) -> bytes:
        text = json.dumps({**message, "arrays": []}).encode()
        return struct.pack("<I", len(text)) + text

    def read(self, size: int = -1) -> bytes:
        self.rest = self.rest or self.endless
        piece, self.rest = self.rest[:size], self.rest[size:]
        return piece


class _Flooding:
    """Launcher and process of a worker that sends one message for ever."""

    out_of_memory = False
    sandbox = "none"

    def __init__(self) -> None:
        self.stdout = _Flood({"kind": "forbidden", "name": "torch.softmax"})
        self.stdin, self.stderr = io.BytesIO(), io.BufferedReader(io.BytesIO())

    def start(self) -> "_Flooding":
        return self

    def kill(self) -> None:
        self.stdout.endless = self.stdout.rest = b""


def test_messages_that_keep_coming_run_out_of_time() -> None:
    connection = _Connection(_Flooding(), Limits())
    while connection.messages.empty():
        pass
    with pytest.raises(TimeoutError):
        connection.next(0.0)
    connection.close()


def test_what_a_student_is_told_holds_nothing_that_a_file_or_a_terminal_does_not_take(
    sample_exam: Exam, session: Session, tmp_path: Path
) -> None:
    raised = 'raise ValueError("\\ud800 \\x1b[2J raised")'
    for answer, word in [(raised, "raised"), ("print('\\x1b[2J printed')\nattention = 0", "printed")]:
        feedback = evaluate(sample_exam, "01.1", None, {"01.1": answer}, session).feedback
        (tmp_path / "feedback.txt").write_text(feedback, encoding="utf-8")
        assert f"\\x1b[2J {word}" in feedback and "\x1b" not in feedback
