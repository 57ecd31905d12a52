"""Grading one submitted notebook at a seed: points per question, as a table and as JSON."""

import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.spec import Question
from autograder.authoring.version import code_version
from autograder.judging.evaluate import evaluate, unrun
from autograder.judging.exam import Exam, ExamQuestion
from autograder.judging.notebook import NotebookError, last_answered, notebook_bytes, parse_submission
from autograder.judging.results import Result
from autograder.worker.session import Session

FORMAT_VERSION = 1
WORST_FIRST = ("timeout", "out-of-memory", "crashed")


@dataclass(frozen=True)
class Conditions:
    """What a grade can be reproduced from, beside the submission's bytes."""

    seed: int
    version: str
    autograder: str
    sandbox: str
    limits: dict[str, bool | int | float]
    software: str

    @classmethod
    def of(cls, seed: int, version: str, session: Session) -> "Conditions":
        """The conditions under which ``session`` grades."""
        import torch

        limits = {**vars(session.limits), **vars(session.launcher)}
        limits = {name: limit for name, limit in limits.items() if isinstance(limit, bool | int | float)}
        software = f"Python {platform.python_version()}, torch {torch.__version__}"
        return cls(seed, version, code_version(), session.launcher.sandbox, limits, software)

    def equal(self, other: "Conditions") -> bool:
        """Whether a grade under these conditions holds under ``other`` too; the software may differ."""
        names = ("seed", "version", "sandbox", "limits")
        return all(getattr(self, name) == getattr(other, name) for name in names)


@dataclass(frozen=True)
class Grade:
    """The results of one submission; ``status`` is its worst question's, or one of the whole notebook."""

    exercise: str
    submission: str
    status: str
    questions: tuple[Result, ...]
    message: str
    sha256: str
    conditions: Conditions

    @property
    def points(self) -> int:
        """The points won."""
        return sum(result.points for result in self.questions)

    @property
    def max_points(self) -> int:
        """The points of all questions."""
        return sum(result.max_points for result in self.questions)

    def table(self) -> str:
        """One row per question, as text."""
        rows = [("question", "points", "of", "status", "named mistake")]
        rows += [
            (r.question, str(r.points), str(r.max_points), r.status, r.mistake or "") for r in self.questions
        ]
        rows.append(("total", str(self.points), str(self.max_points), self.status, ""))
        return text_table(rows)

    def to_json(self) -> dict[str, Any]:
        """The fields, with the conditions among them, and what follows from them."""
        return {
            "format_version": FORMAT_VERSION,
            "exercise": self.exercise,
            **vars(self.conditions),
            "submission": self.submission,
            "sha256": self.sha256,
            "status": self.status,
            "message": self.message,
            "points": self.points,
            "max_points": self.max_points,
            "questions": [result.to_json() for result in self.questions],
        }


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Columns under a header, aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def unrun_all(questions: Iterable[Question | ExamQuestion], status: str) -> tuple[Result, ...]:
    """No points for any question."""
    return tuple(unrun(question, status, "") for question in questions)


def grade(exam: Exam, path: Path, session: Session, name: str = "") -> Grade:
    """Grade a notebook file; a file that is no notebook gets a status and a message, never an exception.

    Messages call it ``name`` (default: the file's name).
    """
    name = name or path.name
    conditions = Conditions.of(exam.seed, exam.version, session)
    digest = ""

    def made(status: str, message: str, results: tuple[Result, ...] | None = None) -> Grade:
        found = unrun_all(exam.questions.values(), status) if results is None else results
        return Grade(exam.exercise, name, status, found, message, digest, conditions)

    if not path.is_file():
        return made("missing", f"{path}: there is no such file")
    content = notebook_bytes(path)
    digest = hashlib.sha256(content).hexdigest()
    try:
        submission = parse_submission(content, name)
    except NotebookError as error:
        return made("unreadable", str(error))
    answers = {
        q: last_answered(sources, exam.questions[q].stub)
        for q, sources in submission.answers.items()
        if q in exam.questions
    }
    known: dict[str, Result] = {}
    with session.submission():
        for q in exam.questions:
            known[q] = evaluate(exam, q, submission.setup, answers, session, known)
        overdue = session.overdue
    results = tuple(known[q] for q in exam.questions)
    statuses = {result.status for result in results}
    if statuses <= {"empty", "missing"}:
        unmarked = "no cell is marked with a line such as '# question 06.2'"
        return made("empty", f"{name}: {'no question is answered' if answers else unmarked}", results)
    told = f"{name}: stopped after {session.limits.wall / 60:g} minutes for all of it" if overdue else ""
    return made(next((s for s in WORST_FIRST if s in statuses), "ok"), told, results)


def to_text(grade: Grade) -> str:
    """The grade as JSON."""
    return json.dumps(grade.to_json(), indent=1, ensure_ascii=False) + "\n"
