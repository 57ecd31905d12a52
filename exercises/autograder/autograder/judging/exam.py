"""The data by which an exercise is graded at one seed: inputs, expected outputs, marks of named mistakes.

``Exam.at_seed`` computes it from specifications and banks, on the instructor's side; ``fixtures.read_exam``
reads it from fixtures.json, on the student's. Everything after that is the same. The fields of these classes,
in this order, are those of fixtures.json.
"""

import ast
import traceback
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from autograder.authoring.bank import BankAnswer
from autograder.authoring.layers import Layers
from autograder.authoring.source import Source, without_magics
from autograder.authoring.spec import Part, Question, SpecificationError, source_of
from autograder.judging.compare import Fingerprint, Signature, fingerprint
from autograder.judging.conceal import Concealed, conceal
from autograder.worker.session import Session
from autograder.worker.values import pack, unpack

PUBLIC_SEED = 0


class Case(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """One set of inputs, packed, with its arrays, and the expected outputs, packed or concealed."""

    inputs: Any
    arrays: list[np.ndarray]
    concealed: dict[str, Concealed] | None = None
    packed: Any = msgspec.field(default=None, name="expected")
    packed_arrays: list[np.ndarray] | None = msgspec.field(default=None, name="expected_arrays")

    def __post_init__(self) -> None:
        if not isinstance(self.expected, dict):
            raise ValueError("a case without expected outputs")

    @cached_property
    def expected(self) -> dict[str, Any]:
        """The expected outputs by name."""
        return unpack(self.packed, self.packed_arrays or []) if self.concealed is None else self.concealed

    def plain_inputs(self) -> dict[str, Any]:
        """The inputs by name."""
        return unpack(self.inputs, self.arrays)


@dataclass(frozen=True)
class ExamPart:
    """A part with the texts of its program and properties, and its cases."""

    name: str
    points: int
    description: str
    program: str
    rtol: float
    atol: float
    may_change_inputs: bool
    hints: tuple[str, ...]
    properties: tuple[str, ...]
    compare: tuple[str, ...] | None
    cases: tuple[Case, ...]
    requires: tuple[str, ...] = ()

    @property
    def is_concealed(self) -> bool:
        """Whether what is expected does not show."""
        return self.cases[0].concealed is not None


@dataclass(frozen=True)
class Concealing(Signature):
    """The signature of a mistake where the expected outputs are concealed."""

    concealed: dict[str, Concealed]


@dataclass(frozen=True)
class Mistake:
    """A named mistake: its explanation, the parts it loses, and by what each case of a part is recognized."""

    name: str
    explanation: str
    loses: tuple[str, ...]
    signatures: dict[str, tuple[Signature, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ExamQuestion:
    """A question with what grades it at one seed."""

    id: str
    title: str
    kind: str
    difficulty: int
    minutes: int
    hints: tuple[str, ...]
    seconds: float
    stub: str
    needs: tuple[str, ...]
    forbids: tuple[str, ...]
    uses: tuple[str, ...] = field(default=(), kw_only=True)
    parts: tuple[ExamPart, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def points(self) -> int:
        """The points of all parts."""
        return sum(part.points for part in self.parts)

    def hints_on(self, name: str) -> tuple[str, ...]:
        """The hints for who fails the part called ``name`` first, the least telling at the beginning."""
        return next(part.hints for part in self.parts if part.name == name) or self.hints


def part_rng(seed: int, question: str, part: str) -> np.random.Generator:
    """The generator that draws the inputs of one part at one seed."""
    return np.random.default_rng([seed, zlib.crc32(f"{question}/{part}".encode())])


def _expected(question: Question, part: Part, inputs: dict[str, Any]) -> dict[str, Any]:
    """What the reference gives; an error in an author's functions says where it is."""
    try:
        return question.expected(part, inputs)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise SpecificationError(
            f"question {question.id}, part {part.name!r}: what is expected cannot be computed; "
            f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"
        ) from error


def draw_case(question: Question, part: Part, inputs: dict[str, Any], salt: str) -> Case:
    """One set of inputs and what the reference gives on them."""
    arrays: list[np.ndarray] = []
    packed = pack(inputs, arrays)
    kept = [a.copy() for a in arrays]
    outputs: list[np.ndarray] = []
    expected: dict[str, Any] = unpack(pack(_expected(question, part, inputs), outputs), outputs)
    if question.kind == "derive" or part.conceal:
        hidden = {
            name: conceal(value, f"{salt}/{name}", part.digits, telling=True)
            for name, value in expected.items()
        }
        return Case(packed, kept, hidden)
    plain: list[np.ndarray] = []
    return Case(packed, kept, packed=pack(expected, plain), packed_arrays=plain)


def draw_part(question: Question, part_index: int, rng: np.random.Generator, salt: str) -> ExamPart:
    """A part with fresh inputs and what the reference gives on them."""
    part = question.parts[part_index]
    cases = [
        draw_case(question, part, inputs, f"{salt}/{part.name}/{number}")
        for number, inputs in enumerate(part.cases(rng))
    ]
    return ExamPart(
        name=part.name,
        points=part.points,
        description=part.description,
        program=part.source,
        properties=tuple(source_of(p) for p in part.properties),
        rtol=part.rtol,
        atol=part.atol,
        compare=part.compare,
        may_change_inputs=part.may_change_inputs,
        hints=tuple(part.hints),
        cases=tuple(cases),
        requires=tuple(part.requires),
    )


def imported_modules(source: str) -> list[str]:
    """The modules that the exercise's own setup cell imports, other than this package."""
    names = []
    for node in ast.walk(ast.parse(without_magics(source))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    return [name for name in names if name.partition(".")[0] != "autograder"]


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


def signature(part: ExamPart, case: Case, outputs: dict[str, Any], changed: Iterable[str]) -> Fingerprint:
    """What outputs of a part that conceals nothing are recognized by, in one case."""
    compared = {name: outputs[name] for name in case.expected if name in outputs}
    if part.properties or not compared:
        compared = outputs
    return fingerprint(compared, [] if part.may_change_inputs else list(changed))


@dataclass(frozen=True)
class Exam:
    """An exercise at one seed; ``version`` is the digest of what it was computed from.

    ``solutions`` are the cells that stand in for a student's where a question builds on them. Only the
    instructor's side has them: fixtures.json does not.
    """

    exercise: str
    seed: int
    setup: str
    questions: dict[str, ExamQuestion]
    version: str = ""
    solutions: dict[str, str] = field(default_factory=dict)

    @classmethod
    def at_seed(
        cls,
        folder: Path,
        seed: int,
        session: Session,
        overlay: Path | None = None,
        question: str | None = None,
    ) -> "Exam":
        """Compute the exam; the banks' wrong answers run in the session's worker.

        With ``question`` only that question is in it, and those that it builds on, without their mistakes.
        """
        layers = Layers.of(folder, overlay)
        source, questions = layers.source(), layers.questions()
        known = {q.id for q in questions}
        missing = sorted(known ^ set(source.solutions))
        if missing:
            has, lacks = ("a spec.py", "a cell of exercise.md")[:: 1 if missing[0] in known else -1]
            raise SpecificationError(f"{folder}: question {missing[0]} has {has} but not {lacks}")
        bank = layers.bank("wrong")
        strangers = [a for a in bank if a.question not in source.solutions]
        if strangers:
            raise SpecificationError(f"{strangers[0].place}: there is no question {strangers[0].question}")
        by_id = {q.id: q for q in questions}
        wanted = (
            known if question is None else {question, *(chain(by_id, question) if question in known else ())}
        )
        made = {}
        for specified in [q for q in questions if q.id in wanted]:
            salt = f"{specified.id}/{seed}"
            rngs = [part_rng(seed, specified.id, part.name) for part in specified.parts]
            parts = tuple(draw_part(specified, i, rng, salt) for i, rng in enumerate(rngs))
            mistakes = tuple(
                _mistake(answer, specified, parts, source, session)
                for answer in bank
                if answer.question == specified.id and question in (None, specified.id)
            )
            made[specified.id] = ExamQuestion(
                id=specified.id,
                title=specified.title,
                kind=specified.kind,
                difficulty=specified.difficulty,
                minutes=specified.minutes,
                hints=tuple(specified.hints),
                needs=specified.needs,
                forbids=specified.forbids,
                uses=specified.uses,
                seconds=specified.seconds,
                stub=source.stubs[specified.id],
                parts=parts,
                mistakes=mistakes,
            )
        return cls(folder.name, seed, source.setup, made, layers.version(), source.solutions)


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
    wrong: BankAnswer, question: Question, parts: tuple[ExamPart, ...], source: Source, session: Session
) -> Mistake:
    unknown = [name for name in wrong.loses if name not in [p.name for p in parts]]
    if unknown:
        raise SpecificationError(f"{wrong.place}: loses {unknown[0]!r}, which is no part of {question.id}")
    programs, arrays = request(parts)
    cells = solved_cells(source, question.needs, question.id, wrong.source)
    imports = imported_modules(source.setup)
    run = session.run(
        cells,
        programs,
        arrays,
        forbids=question.forbids,
        uses=question.uses,
        imports=imports,
        seconds=question.seconds,
    )
    signatures: dict[str, tuple[Signature, ...]] = {}
    for p, part in enumerate(parts):
        rows: list[Signature] = []
        for c, case in enumerate(part.cases):
            answer = run.cases.get((p, c))
            if answer is None or answer.error is not None:
                problem = answer.error if answer is not None else run.cells_error or run.lost.get(p)
                raise SpecificationError(f"{wrong.place}: part {part.name!r}, case {c + 1}: {problem}")
            if case.concealed is None:
                rows.append(signature(part, case, answer.outputs, answer.changed))
                continue
            if absent := sorted(case.concealed.keys() - answer.outputs.keys()):
                raise SpecificationError(f"{wrong.place}: part {part.name!r} gives no {absent[0]!r}")
            hidden = {k: conceal(answer.outputs[k], e.salt, e.digits) for k, e in case.concealed.items()}
            rows.append(Concealing(hidden))
        signatures[part.name] = tuple(rows)
    return Mistake(wrong.name, wrong.explanation, wrong.loses, signatures)
