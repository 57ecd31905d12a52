"""fixtures.json: an exam at the public seed, as the student's kit carries it."""

import base64
import json
from typing import Any

import numpy as np

from autograder.compare import Fingerprint
from autograder.conceal import Concealed
from autograder.exam import Case, Exam, ExamPart, ExamQuestion, Mistake
from autograder.protocol import DTYPES, pack, unpack
from autograder.spec import SpecificationError

FORMAT_VERSION = 1


def exam_text(exam: Exam) -> str:
    """The exam as the text of fixtures.json."""
    top = {
        "format_version": FORMAT_VERSION,
        "exercise": exam.exercise,
        "seed": exam.seed,
        "setup": exam.setup,
    }
    questions = [_question_json(question) for question in exam.questions.values()]
    return json.dumps({**top, "questions": questions}, indent=1, ensure_ascii=False) + "\n"


def read_exam(text: str, name: str) -> Exam:
    """The exam in the text of a fixtures.json called ``name``."""
    try:
        fields = json.loads(text)
        version = fields["format_version"]
    except (ValueError, KeyError, TypeError):
        raise SpecificationError(f"{name}: is no fixtures file; get it anew from the course") from None
    if version != FORMAT_VERSION:
        raise SpecificationError(
            f"{name}: has format version {version}, this autograder reads {FORMAT_VERSION}; update the course"
        )
    try:
        questions = {q["id"]: _question_from(q) for q in fields["questions"]}
        return Exam(fields["exercise"], fields["seed"], fields["setup"], questions)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SpecificationError(f"{name}: is damaged ({error!r}); get it anew from the course") from None


def _inline_array(array: np.ndarray) -> dict[str, Any]:
    return {
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "base64": base64.b64encode(array.tobytes()).decode(),
    }


def from_inline(fields: dict[str, Any]) -> np.ndarray:
    """An array as fixtures hold it."""
    if fields["dtype"] not in DTYPES:
        raise SpecificationError(f"fixtures: an array of dtype {fields['dtype']!r}")
    data = base64.b64decode(fields["base64"], validate=True)
    return np.frombuffer(data, dtype=fields["dtype"]).reshape(fields["shape"])


def _concealed_json(value: Concealed) -> dict[str, Any]:
    return {"salt": value.salt, "digits": value.digits, "digests": list(value.digests)}


def _concealed_from(fields: dict[str, Any]) -> Concealed:
    return Concealed(fields["salt"], fields["digits"], tuple(fields["digests"]))


def _case_json(case: Case) -> dict[str, Any]:
    made: dict[str, Any] = {"inputs": case.inputs, "arrays": [_inline_array(a) for a in case.arrays]}
    if any(isinstance(v, Concealed) for v in case.expected.values()):
        return {**made, "concealed": {k: _concealed_json(v) for k, v in case.expected.items()}}
    arrays: list[np.ndarray] = []
    packed = pack(case.expected, arrays)
    return {**made, "expected": packed, "expected_arrays": [_inline_array(a) for a in arrays]}


def _case_from(fields: dict[str, Any]) -> Case:
    if "concealed" in fields:
        expected = {k: _concealed_from(v) for k, v in fields["concealed"].items()}
    else:
        expected = unpack(fields["expected"], [from_inline(a) for a in fields["expected_arrays"]])
    return Case(fields["inputs"], [from_inline(a) for a in fields["arrays"]], expected)


def _signature_json(found: Any) -> dict[str, Any]:
    if isinstance(found, Fingerprint):
        return found.to_json()
    return {"concealed": {k: _concealed_json(v) for k, v in found.items()}}


def _signature_from(fields: dict[str, Any]) -> Any:
    if "concealed" in fields:
        return {k: _concealed_from(v) for k, v in fields["concealed"].items()}
    return Fingerprint.from_json(fields)


def _question_json(question: ExamQuestion) -> dict[str, Any]:
    plain = ("id", "title", "kind", "difficulty", "minutes", "hint", "seconds", "stub")
    part_fields = ("name", "points", "description", "program", "rtol", "atol", "may_change_inputs")
    return {
        **{name: getattr(question, name) for name in plain},
        "needs": list(question.needs),
        "forbids": list(question.forbids),
        "parts": [
            {
                **{name: getattr(part, name) for name in part_fields},
                "properties": list(part.properties),
                "compare": None if part.compare is None else list(part.compare),
                "cases": [_case_json(case) for case in part.cases],
            }
            for part in question.parts
        ],
        "mistakes": [
            {
                "name": m.name,
                "explanation": m.explanation,
                "loses": list(m.loses),
                "signatures": {p: [_signature_json(s) for s in rows] for p, rows in m.signatures.items()},
            }
            for m in question.mistakes
        ],
    }


def _question_from(fields: dict[str, Any]) -> ExamQuestion:
    parts = tuple(
        ExamPart(
            **{
                **part,
                "properties": tuple(part["properties"]),
                "compare": None if part["compare"] is None else tuple(part["compare"]),
                "cases": tuple(_case_from(case) for case in part["cases"]),
            }
        )
        for part in fields["parts"]
    )
    mistakes = tuple(
        Mistake(
            m["name"],
            m["explanation"],
            tuple(m["loses"]),
            {p: tuple(_signature_from(s) for s in rows) for p, rows in m["signatures"].items()},
        )
        for m in fields["mistakes"]
    )
    rest = {k: tuple(fields[k]) for k in ("needs", "forbids")}
    return ExamQuestion(**{**fields, **rest, "parts": parts, "mistakes": mistakes})
