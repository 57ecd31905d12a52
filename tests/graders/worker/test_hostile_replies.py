"""Replies and notebooks that are made to hurt the process that judges them."""

import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from autograder.judging import notebook
from autograder.judging.compare import MAX_FINGERPRINTED, fingerprint
from autograder.judging.conceal import conceal
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Case, Exam, ExamPart
from autograder.judging.notebook import (
    MAX_CELL,
    MAX_LISTS,
    MAX_REPEATED,
    NotebookError,
    last_answered,
    parse_submission,
    same_code,
)
from autograder.judging.outputs import MAX_REPORTED, MAX_TOLD, misbehavior
from autograder.judging.wording import changed_arguments
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


@pytest.mark.slow
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


def test_of_many_cells_of_one_question_the_last_few_are_compared_with_the_stub(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = []

    def spy(one: str, other: str) -> bool:
        compared.append(one)
        return same_code(one, other)

    monkeypatch.setattr(notebook, "same_code", spy)
    stub = "# question 01.1\nraise NotImplementedError"
    answered = [f"# question 01.1\nx = {number}" for number in range(100_000)]
    assert last_answered([*answered, stub, f"{stub}  # mine"], stub) == answered[-1]
    assert compared == [f"{stub}  # mine", stub, answered[-1]]
    compared.clear()
    blank = [f"{stub}  # {number}" for number in range(100_000)]
    assert last_answered(blank, stub) == blank[-1]
    assert len(compared) == MAX_REPEATED


@pytest.mark.slow
def test_a_notebook_of_millions_of_lists_is_not_built_in_memory() -> None:
    brackets = b"[]," * (MAX_LISTS // 2)
    assert parse_submission(b'{"cells": [' + brackets[:-4] + b"]}", "x.ipynb").code_cells == 0
    for more in (b"[],", b"{},"):
        with pytest.raises(NotebookError, match="1,000,000 brackets"):
            parse_submission(b'{"cells": [' + brackets * 2 + more + b"[]]}", "x.ipynb")


def told(part: ExamPart, outputs: dict) -> str | None:
    return misbehavior(part, part.cases[0], outputs, [])


def reporting(source: str) -> ExamPart:
    case = Case({"$": "dict", "v": []}, [], packed={"$": "dict", "v": []}, packed_arrays=[])
    return ExamPart("p", 1, "", "", 1e-4, 1e-5, False, ("a", "b"), (source,), (), (case,))


def test_a_property_sees_no_more_numbers_than_a_report_has() -> None:
    part = reporting("def never(inputs, outputs):\n    raise SystemExit('it ran')\n")
    for large in (np.zeros(MAX_REPORTED + 1), [np.zeros(MAX_REPORTED), 1.0]):
        assert told(part, {"report": large}) == "the reported values are more than 100,000 numbers"
    with pytest.raises(SystemExit):
        told(part, {"report": np.zeros(MAX_REPORTED)})


def test_what_a_property_says_of_a_report_is_clipped() -> None:
    part = reporting("def says(inputs, outputs):\n    return f'it is {outputs}'\n")
    assert len(told(part, {"report": "x" * 10_000})) <= MAX_TOLD


@pytest.mark.parametrize(
    "default",
    ["1" + "+1" * 500, "[" * 90 + "]" * 90, "'x'", "'" + "x" * 100_000 + "'"],
)
def test_wrong_arguments_are_told_shortly_whatever_stands_in_them(default: str) -> None:
    stub = "def attention(query, key): ..."
    for given in (f"key, query, more={default}", ", ".join(f"a{n}" for n in range(20_000))):
        said = changed_arguments(stub, f"def attention({given}): ...")
        assert len(said) < 800 and "should take these arguments" in said


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
