"""Grading one submitted notebook at a seed: points per question, as a table and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.evaluate import evaluate, unrun
from autograder.exam import Exam
from autograder.notebook import NotebookError, read_submission, same_code
from autograder.results import Result
from autograder.session import Session

FORMAT_VERSION = 1
WORST_FIRST = ("timeout", "out-of-memory", "crashed")


@dataclass(frozen=True)
class Grade:
    """The results of one submission; ``status`` is the worst of its questions', or unreadable, or empty."""

    exercise: str
    seed: int
    submission: str
    status: str
    results: tuple[Result, ...]
    message: str = ""

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
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])

    def to_json(self) -> dict[str, Any]:
        return {
            "format_version": FORMAT_VERSION,
            "exercise": self.exercise,
            "seed": self.seed,
            "submission": self.submission,
            "status": self.status,
            "message": self.message,
            "points": self.points,
            "max_points": self.max_points,
            "questions": [result.to_json() for result in self.results],
        }


def chosen(sources: Sequence[str], stub: str) -> str:
    """Of several cells with one mark the last that is answered counts."""
    answered = [source for source in sources if not same_code(source, stub)]
    return (answered or list(sources))[-1]


def grade(exam: Exam, path: Path, session: Session) -> Grade:
    """Grades a notebook file; a file that is none gets a status and a message, never an exception."""

    def nothing(status: str, message: str) -> Grade:
        results = tuple(unrun(question, status, "") for question in exam.questions.values())
        return Grade(exam.exercise, exam.seed, path.name, status, results, message)

    if not path.is_file():
        return nothing("missing", f"{path}: there is no such file")
    try:
        submission = read_submission(path)
    except NotebookError as error:
        return nothing("unreadable", str(error))
    answers = {
        q: chosen(sources, exam.questions[q].stub)
        for q, sources in submission.answers.items()
        if q in exam.questions
    }
    results = tuple(evaluate(exam, q, submission.setup, answers, session) for q in exam.questions)
    statuses = {result.status for result in results}
    status = next((s for s in WORST_FIRST if s in statuses), "ok")
    if statuses <= {"empty", "missing"}:
        told = (
            "no question is answered"
            if answers
            else "no cell is marked with a line such as '# question 06.2'"
        )
        return Grade(exam.exercise, exam.seed, path.name, "empty", results, f"{path.name}: {told}")
    return Grade(exam.exercise, exam.seed, path.name, status, results)


def to_text(grade: Grade) -> str:
    return json.dumps(grade.to_json(), indent=1, ensure_ascii=False) + "\n"
