"""Grading one submitted notebook at a seed: points per question, as a table and as JSON."""

import dataclasses
import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.evaluate import evaluate, unrun
from autograder.exam import Exam, ExamQuestion
from autograder.notebook import NotebookError, notebook_bytes, parse_submission, same_code
from autograder.overlay import package_version
from autograder.results import Result
from autograder.session import Session
from autograder.spec import Question

FORMAT_VERSION = 1
WORST_FIRST = ("timeout", "out-of-memory", "crashed")


@dataclass(frozen=True)
class Conditions:
    """What a grade is reproducible from, beside the submission's bytes."""

    seed: int
    version: str
    autograder: str
    sandbox: str
    limits: dict[str, Any]
    software: str

    @classmethod
    def of(cls, seed: int, version: str, session: Session) -> "Conditions":
        import torch

        limits = {**dataclasses.asdict(session.limits), **dataclasses.asdict(session.launcher)}
        software = f"Python {platform.python_version()}, torch {torch.__version__}"
        return cls(seed, version, package_version(), session.launcher.sandbox, limits, software)

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class Grade:
    """The results of one submission; ``status`` is its worst question's, or one of the whole notebook."""

    exercise: str
    submission: str
    status: str
    results: tuple[Result, ...]
    message: str = ""
    sha256: str = ""
    conditions: dict[str, Any] = field(default_factory=dict)

    @property
    def points(self) -> int:
        return sum(result.points for result in self.results)

    @property
    def max_points(self) -> int:
        return sum(result.max_points for result in self.results)

    def table(self) -> str:
        rows = [("question", "points", "of", "status", "named mistake")]
        rows += [
            (r.question, str(r.points), str(r.max_points), r.status, r.mistake or "") for r in self.results
        ]
        rows.append(("total", str(self.points), str(self.max_points), self.status, ""))
        return text_table(rows)

    def to_json(self) -> dict[str, Any]:
        return {
            "format_version": FORMAT_VERSION,
            "exercise": self.exercise,
            **self.conditions,
            "submission": self.submission,
            "sha256": self.sha256,
            "status": self.status,
            "message": self.message,
            "points": self.points,
            "max_points": self.max_points,
            "questions": [result.to_json() for result in self.results],
        }

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Grade":
        plain = {name: fields[name] for name in ("exercise", "submission", "status", "message", "sha256")}
        conditions = {f.name: fields[f.name] for f in dataclasses.fields(Conditions) if f.name in fields}
        results = tuple(Result.from_json(question) for question in fields["questions"])
        return cls(**plain, results=results, conditions=conditions)


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Columns under a header, aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def chosen(sources: Sequence[str], stub: str) -> str:
    """Of several cells with one mark the last that is answered counts."""
    answered = [source for source in sources if not same_code(source, stub)]
    return (answered or list(sources))[-1]


def unrun_all(questions: Iterable[Question | ExamQuestion], status: str) -> tuple[Result, ...]:
    """No points for any question."""
    return tuple(unrun(question, status, "") for question in questions)


def grade(exam: Exam, path: Path, session: Session, name: str = "") -> Grade:
    """Grades a notebook file; a file that is none gets a status and a message, never an exception.

    Messages call it ``name`` (default: the file's name).
    """
    name = name or path.name
    if not path.is_file():
        results = unrun_all(exam.questions.values(), "missing")
        return Grade(exam.exercise, name, "missing", results, f"{path}: there is no such file")
    conditions = Conditions.of(exam.seed, exam.version, session).to_json()
    content = notebook_bytes(path)
    digest = hashlib.sha256(content).hexdigest()

    def made(status: str, results: tuple[Result, ...], message: str = "") -> Grade:
        return Grade(exam.exercise, name, status, results, message, digest, conditions)

    try:
        submission = parse_submission(content, name)
    except NotebookError as error:
        return made("unreadable", unrun_all(exam.questions.values(), "unreadable"), str(error))
    answers = {
        q: chosen(sources, exam.questions[q].stub)
        for q, sources in submission.answers.items()
        if q in exam.questions
    }
    results = tuple(evaluate(exam, q, submission.setup, answers, session) for q in exam.questions)
    statuses = {result.status for result in results}
    if statuses <= {"empty", "missing"}:
        told = (
            "no question is answered"
            if answers
            else "no cell is marked with a line such as '# question 06.2'"
        )
        return made("empty", results, f"{name}: {told}")
    return made(next((s for s in WORST_FIRST if s in statuses), "ok"), results)


def to_text(grade: Grade) -> str:
    return json.dumps(grade.to_json(), indent=1, ensure_ascii=False) + "\n"
