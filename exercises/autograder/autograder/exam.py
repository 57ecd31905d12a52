"""The data by which one exercise is graded at one seed: inputs, expected outputs, fingerprints of named mistakes.

``Exam.at_seed`` computes it from questions.py and the bank (the instructor's side); ``Exam.from_json`` reads it from
fixtures.json (the student's side). Everything after that is the same.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from autograder.compare import Concealed, Fingerprint, checked_outputs, conceal, fingerprint
from autograder.launcher import Session
from autograder.notebook import Source, read_source
from autograder.protocol import DTYPES, pack, unpack
from autograder.spec import Question, SpecificationError, load_questions, source_of

FORMAT_VERSION = 1
PUBLIC_SEED = 0
BANK_FILE = re.compile(r"(\d{2})_(\d{1,2})_(\w+)\.py")


@dataclass(frozen=True)
class Case:
    """One set of inputs, packed, with the arrays it refers to, and what is expected."""

    inputs: Any
    arrays: list[np.ndarray]
    expected: dict[str, Any]

    def plain_inputs(self) -> dict[str, Any]:
        return unpack(self.inputs, self.arrays)


@dataclass(frozen=True)
class ExamPart:
    name: str
    points: int
    description: str
    program: str
    properties: tuple[str, ...]
    rtol: float
    atol: float
    compare: tuple[str, ...] | None
    may_change_inputs: bool
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Mistake:
    """A named mistake: its explanation, the parts it loses, and for each part the fingerprint of each case."""

    name: str
    explanation: str
    loses: tuple[str, ...]
    signatures: dict[str, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ExamQuestion:
    id: str
    title: str
    kind: str
    difficulty: int
    minutes: int
    hint: str
    needs: tuple[str, ...]
    forbids: tuple[str, ...]
    seconds: float
    stub: str
    parts: tuple[ExamPart, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)


@dataclass(frozen=True)
class BankFile:
    """A right or wrong answer of the bank."""

    path: Path
    question: str
    name: str
    source: str
    explanation: str
    loses: tuple[str, ...]


def read_bank(folder: Path, side: str) -> list[BankFile]:
    """The files of ``bank/right`` or ``bank/wrong``, in order, checked against the naming rules."""
    files = []
    for path in sorted((folder / "bank" / side).glob("*.py")):
        named = BANK_FILE.fullmatch(path.name)
        if not named:
            raise SpecificationError(f"{path}: a bank file is named like 06_2_style.py")
        source = path.read_text(encoding="utf-8")
        first = re.match(r'"""(.+?)\s*(?:"""|\n)', source)
        if not first:
            raise SpecificationError(
                f'{path}: begins with no docstring such as """attention without the scale"""'
            )
        loses = re.search(r"^# loses: (.+)$", source, re.MULTILINE)
        if side == "wrong" and not loses:
            raise SpecificationError(f"{path}: has no line such as '# loses: values'")
        lost = tuple(name.strip() for name in loses[1].split(",")) if loses else ()
        files.append(BankFile(path, f"{named[1]}.{named[2]}", named[3], source, first[1].strip(), lost))
    return files


def _rng(seed: int, question: str, part: str) -> np.random.Generator:
    return np.random.default_rng([seed, zlib.crc32(f"{question}/{part}".encode())])


def draw_part(question: Question, part_index: int, rng: np.random.Generator, salt: str) -> ExamPart:
    """A part with fresh inputs and what the reference gives on them."""
    part = question.parts[part_index]
    cases = []
    for number, inputs in enumerate(part.cases(rng)):
        arrays: list[np.ndarray] = []
        packed = pack(inputs, arrays)
        kept = [a.copy() for a in arrays]
        outputs: list[np.ndarray] = []
        expected = checked_outputs(unpack(pack(question.expected(part, inputs), outputs), outputs))
        if question.kind == "derive":
            expected = {
                k: conceal(v, f"{salt}/{part.name}/{number}/{k}", part.digits) for k, v in expected.items()
            }
        cases.append(Case(packed, kept, expected))
    return ExamPart(
        name=part.name,
        points=part.points,
        description=part.description,
        program=source_of(part.program),
        properties=tuple(source_of(p) for p in part.properties),
        rtol=part.rtol,
        atol=part.atol,
        compare=part.compare,
        may_change_inputs=part.may_change_inputs,
        cases=tuple(cases),
    )


def request(parts: Iterable[ExamPart]) -> tuple[list[tuple[str, list[Any]]], list[np.ndarray]]:
    """The programs and cases as the worker gets them: all arrays in one list."""
    arrays: list[np.ndarray] = []
    programs = []
    for part in parts:
        cases = []
        for case in part.cases:
            cases.append(_shifted(case.inputs, len(arrays)))
            arrays.extend(case.arrays)
        programs.append((part.program, cases))
    return programs, arrays


def _shifted(packed: Any, by: int) -> Any:
    if isinstance(packed, list):
        return [_shifted(item, by) for item in packed]
    if isinstance(packed, dict):
        return {k: v + by if k == "i" else _shifted(v, by) for k, v in packed.items()}
    return packed


def signature(part: ExamPart, case: Case, outputs: dict[str, Any], changed: list[str]) -> Any:
    """What a named mistake is recognized by, in one case."""
    if any(isinstance(v, Concealed) for v in case.expected.values()):
        return outputs
    compared = {name: outputs[name] for name in case.expected if name in outputs} or outputs
    return fingerprint(compared, [] if part.may_change_inputs else changed)


@dataclass(frozen=True)
class Exam:
    """An exercise at one seed."""

    exercise: str
    seed: int
    setup: str
    questions: dict[str, ExamQuestion]

    @classmethod
    def at_seed(cls, folder: Path, seed: int, session: Session) -> "Exam":
        """Computed fresh; the bank's wrong answers are run in the session's worker."""
        source = read_source(folder / "exercise.md")
        questions = load_questions(folder)
        missing = sorted({q.id for q in questions} ^ set(source.solutions))
        if missing:
            raise SpecificationError(
                f"{folder}: question {missing[0]} is in only one of exercise.md and questions.py"
            )
        bank = read_bank(folder, "wrong")
        strangers = [f for f in bank if f.question not in source.solutions]
        if strangers:
            raise SpecificationError(f"{strangers[0].path}: there is no question {strangers[0].question}")
        made = {}
        for question in questions:
            salt = f"{question.id}/{seed}"
            rngs = [_rng(seed, question.id, part.name) for part in question.parts]
            parts = tuple(draw_part(question, i, rng, salt) for i, rng in enumerate(rngs))
            mistakes = tuple(
                _mistake(file, question, parts, source, session)
                for file in bank
                if file.question == question.id
            )
            made[question.id] = ExamQuestion(
                id=question.id,
                title=question.title,
                kind=question.kind,
                difficulty=question.difficulty,
                minutes=question.minutes,
                hint=question.hint,
                needs=question.needs,
                forbids=question.forbids,
                seconds=question.seconds,
                stub=source.stubs[question.id],
                parts=parts,
                mistakes=mistakes,
            )
        return cls(folder.name, seed, source.setup, made)

    def to_json(self) -> str:
        questions = [_question_json(question) for question in self.questions.values()]
        top = {
            "format_version": FORMAT_VERSION,
            "exercise": self.exercise,
            "seed": self.seed,
            "setup": self.setup,
        }
        return json.dumps({**top, "questions": questions}, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str) -> "Exam":
        try:
            fields = json.loads(text)
            version = fields["format_version"]
        except (ValueError, KeyError, TypeError):
            raise SpecificationError(f"{name}: is no fixtures file; get it anew from the course") from None
        if version != FORMAT_VERSION:
            raise SpecificationError(
                f"{name}: has format version {version}, this autograder reads {FORMAT_VERSION}; update the course's files"
            )
        questions = {q["id"]: _question_from(q) for q in fields["questions"]}
        return cls(fields["exercise"], fields["seed"], fields["setup"], questions)


def chain(questions: dict[str, Any], question: str) -> list[str]:
    """The questions that ``question`` builds on, directly or not, in order."""
    found: list[str] = []
    for needed in questions[question].needs:
        found += [q for q in [*chain(questions, needed), needed] if q not in found]
    return found


def solved_cells(source: Source, needs: Iterable[str], question: str, answer: str) -> list[tuple[str, str]]:
    """The cells that run for an answer of the bank: setup, the solutions it builds on, the answer."""
    before = [(f"question {needed}", source.solutions[needed]) for needed in needs]
    return [("setup", source.setup), *before, (f"question {question}", answer)]


def _mistake(
    file: BankFile, question: Question, parts: tuple[ExamPart, ...], source: Source, session: Session
) -> Mistake:
    unknown = [name for name in file.loses if name not in [p.name for p in parts]]
    if unknown:
        raise SpecificationError(f"{file.path}: loses {unknown[0]!r}, which is no part of {question.id}")
    programs, arrays = request(parts)
    cells = solved_cells(source, question.needs, question.id, file.source)
    run = session.run(cells, programs, arrays, forbids=question.forbids, seconds=question.seconds)
    signatures = {}
    for p, part in enumerate(parts):
        rows = []
        for c, case in enumerate(part.cases):
            header, values = run.cases.get((p, c), ({"error": run.cells_error or run.lost.get(p)}, []))
            if header["error"] is not None:
                raise SpecificationError(f"{file.path}: part {part.name!r}, case {c + 1}: {header['error']}")
            outputs = checked_outputs(unpack(header["value"], values))
            found = signature(part, case, outputs, header["changed"])
            if not isinstance(found, Fingerprint):
                found = {
                    k: conceal(outputs[k], expected.salt, expected.digits)
                    for k, expected in case.expected.items()
                }
            rows.append(found)
        signatures[part.name] = tuple(rows)
    return Mistake(file.name, file.explanation, file.loses, signatures)


def _inline(array: np.ndarray) -> dict[str, Any]:
    return {
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "base64": base64.b64encode(array.tobytes()).decode(),
    }


def _from_inline(fields: dict[str, Any]) -> np.ndarray:
    if fields["dtype"] not in DTYPES:
        raise SpecificationError(f"fixtures: an array of dtype {fields['dtype']!r}")
    data = base64.b64decode(fields["base64"], validate=True)
    return np.frombuffer(data, dtype=fields["dtype"]).reshape(fields["shape"])


def _concealed_json(value: Concealed) -> dict[str, Any]:
    return {"salt": value.salt, "digits": value.digits, "digests": list(value.digests)}


def _concealed_from(fields: dict[str, Any]) -> Concealed:
    return Concealed(fields["salt"], fields["digits"], tuple(fields["digests"]))


def _case_json(case: Case) -> dict[str, Any]:
    made: dict[str, Any] = {"inputs": case.inputs, "arrays": [_inline(a) for a in case.arrays]}
    if any(isinstance(v, Concealed) for v in case.expected.values()):
        return {**made, "concealed": {k: _concealed_json(v) for k, v in case.expected.items()}}
    arrays: list[np.ndarray] = []
    packed = pack(case.expected, arrays)
    return {**made, "expected": packed, "expected_arrays": [_inline(a) for a in arrays]}


def _case_from(fields: dict[str, Any]) -> Case:
    if "concealed" in fields:
        expected = {k: _concealed_from(v) for k, v in fields["concealed"].items()}
    else:
        expected = unpack(fields["expected"], [_from_inline(a) for a in fields["expected_arrays"]])
    return Case(fields["inputs"], [_from_inline(a) for a in fields["arrays"]], expected)


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
