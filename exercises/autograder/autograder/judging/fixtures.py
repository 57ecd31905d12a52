"""fixtures.json: an exam at the public seed, as the student's kit carries it."""

import json
import re
from typing import Any, Literal

import msgspec
import numpy as np

from autograder.authoring.spec import SpecificationError
from autograder.judging.compare import Fingerprint, Signature
from autograder.judging.exam import Concealing, Exam, ExamQuestion
from autograder.worker.values import DTYPES

FORMAT_VERSION = 2
AGAIN = "download it again from the course"
# a list or an object that holds others only if they stand on its own lines; a text in JSON has no line ends
SHORT = re.compile(r"([\[{])\n((?:[^\[\]{}]|\[[^\[\]{}\n]*\])*)\n *([\]}])")


class _Inline(msgspec.Struct):
    """An array inside JSON."""

    dtype: Literal[DTYPES]  # type: ignore[valid-type]
    shape: list[int]
    base64: bytes


class _File(msgspec.Struct):
    """The content of fixtures.json."""

    format_version: int
    exercise: str
    seed: int
    setup: str
    questions: list[ExamQuestion]
    seal: str = ""


def exam_text(exam: Exam, seal: str = "") -> str:
    """The exam as the text of fixtures.json; ``seal`` is a digest of it and of what it was made of."""
    file = _File(FORMAT_VERSION, exam.exercise, exam.seed, exam.setup, list(exam.questions.values()), seal)
    fields = msgspec.to_builtins(file, enc_hook=_inline)
    if not seal:
        fields.pop("seal")
    for question in fields["questions"]:
        if not question.get("uses"):
            question.pop("uses", None)
    text = json.dumps(fields, indent=0, ensure_ascii=False) + "\n"
    for _ in ("lists of numbers", "arrays"):
        text = SHORT.sub(_on_one_line, text)
    return text


def _on_one_line(found: re.Match[str]) -> str:
    return found[1] + " ".join(line.strip(" ") for line in found[2].split("\n")) + found[3]


def read_exam(text: str, name: str) -> Exam:
    """Read the exam from the text of a fixtures.json called ``name``."""
    try:
        fields = json.loads(text)
        version = fields["format_version"]
    except (ValueError, KeyError, TypeError):
        raise SpecificationError(f"{name}: is not a fixtures file; {AGAIN}") from None
    if version != FORMAT_VERSION:
        raise SpecificationError(
            f"{name}: has format version {version}, this autograder reads {FORMAT_VERSION}; update the course"
        )
    try:
        file = msgspec.convert(fields, _File, dec_hook=_read)
    except ValueError as error:
        raise SpecificationError(f"{name}: is damaged ({error}); {AGAIN}") from None
    return Exam(file.exercise, file.seed, file.setup, {q.id: q for q in file.questions})


def from_inline(fields: Any) -> np.ndarray:
    """The array that stands inside JSON."""
    inline = msgspec.convert(fields, _Inline)
    return np.frombuffer(inline.base64, dtype=inline.dtype).reshape(inline.shape)


def _inline(value: Any) -> _Inline:
    if not isinstance(value, np.ndarray):
        raise NotImplementedError
    return _Inline(value.dtype.str, list(value.shape), value.tobytes())


def _read(kind: type, fields: Any) -> Any:
    if kind is Signature:
        return msgspec.convert(fields, Concealing if "concealed" in fields else Fingerprint)
    return from_inline(fields)
