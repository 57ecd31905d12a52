"""A grade with all that an instructor decided about it: the student, lateness, points set by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from autograder.classroom.policy import Lateness, Override, exact
from autograder.classroom.submissions import Task
from autograder.judging.grade import Grade
from autograder.judging.results import UNGRADED


def number(value: Fraction | int) -> int | float:
    """The value as JSON holds it."""
    return int(value) if Fraction(value).denominator == 1 else float(value)


@dataclass(frozen=True)
class Previous:
    """What a record keeps of the one that it replaces."""

    seed: int
    version: str
    sandbox: str
    status: str
    points: dict[str, int]

    @classmethod
    def of(cls, grade: Grade) -> "Previous":
        """What is kept of ``grade``."""
        points = {result.question: result.points for result in grade.questions}
        made = grade.conditions
        return cls(made.seed, made.version, made.sandbox, grade.status, points)


@dataclass(frozen=True)
class Assessment:
    """``grade`` is what the submission's code is worth; ``points`` and ``total`` are what the student gets.

    Points set by hand replace a question's; lateness reduces the sum of all. ``previous`` is what the same
    submission was worth before it was graded again.
    """

    task: Task
    grade: Grade
    lateness: Lateness = field(default_factory=Lateness)
    overrides: Mapping[str, Override] = field(default_factory=dict)
    previous: Previous | None = None

    @property
    def is_known(self) -> bool:
        """Whether the grader itself did not fail."""
        return self.grade.status != UNGRADED

    @property
    def question_points(self) -> dict[str, Fraction]:
        """The points of each question, those set by hand included."""
        raw = {result.question: Fraction(result.points) for result in self.grade.questions}
        return raw | {question: override.points for question, override in self.overrides.items()}

    @property
    def points(self) -> Fraction:
        """The points before lateness."""
        return sum(self.question_points.values(), Fraction(0))

    @property
    def total(self) -> Fraction:
        """The points after lateness."""
        return self.points * (1 - self.lateness.reduction)

    @property
    def override_texts(self) -> list[str]:
        """The points set by hand, in words."""
        raw = {result.question: result.points for result in self.grade.questions}
        return [
            f"{question}: {raw[question]} -> {exact(set_by.points)} ({set_by.reason})"
            for question, set_by in sorted(self.overrides.items())
        ]

    @property
    def lowered(self) -> list[str]:
        """The points set by hand that are fewer than the grader gives now, in words."""
        raw = {result.question: result.points for result in self.grade.questions}
        return [
            f"{question}: set by hand to {exact(set_by.points)}, fewer than the {raw[question]} that the "
            "grader gives now"
            for question, set_by in sorted(self.overrides.items())
            if set_by.points < raw[question]
        ]

    @property
    def notes(self) -> list[str]:
        """What an instructor should know of this grade."""
        others = [f"not graded: {other}" for other in self.task.others]
        told = [note for note in (self.grade.message, self.lateness.note) if note]
        return [*told, *self.lowered, *self.task.notes, *self._passed_over, *others]

    @property
    def _passed_over(self) -> list[str]:
        """What a notebook that was graded lacks, or failed at, although it was graded."""
        missing = [result.question for result in self.grade.questions if result.status == "missing"]
        failed = [result.passed_over for result in self.grade.questions if result.passed_over]
        some = bool(missing) and len(missing) < len(self.grade.questions)
        notes = [f"no cell is marked as {', '.join(missing)}"] if some else []
        return [*notes, *dict.fromkeys(failed)]

    def to_json(self) -> dict[str, Any]:
        """The record of the grade."""
        late, chosen = self.lateness, self.task.chosen
        submitted = chosen.submitted if chosen else None
        student = {k: v for k, v in vars(self.task.student).items() if v and k not in ("key", "submitted")}
        return {
            "student": self.task.student.key,
            "student_details": student,
            **self.grade.to_json(),
            "submitted": submitted and submitted.time.isoformat(),
            "submitted_told_by": submitted and submitted.source,
            "deadline": late.deadline and late.deadline.isoformat(),
            "extension": late.reason,
            "late": late.late,
            "late_by_seconds": number(Fraction(late.by.total_seconds()).limit_denominator(10**6)),
            "reduction_percent": number(late.reduction * 100),
            "overrides": {
                q: {"points": number(o.points), "reason": o.reason} for q, o in sorted(self.overrides.items())
            },
            "points_with_overrides": number(self.points) if self.is_known else None,
            "total": number(self.total) if self.is_known else None,
            "notes": self.notes,
            "previous": vars(self.previous) if self.previous else None,
        }

    def changes(self) -> list[dict[str, Any]]:
        """What grading again changed: one row per question and one for the sum; none if nothing changed."""
        if not self.previous or not self.is_known:
            return []
        before = self.previous.points
        after = {result.question: result.points for result in self.grade.questions}
        names = sorted(before.keys() | after.keys())
        changed = [(q, before.get(q, ""), after.get(q, "")) for q in names if before.get(q) != after.get(q)]
        if not changed and self.previous.status == self.grade.status:
            return []
        rows = [*changed, ("sum", sum(before.values()), self.grade.points)]
        why = [
            f"{name} {old} -> {getattr(self.grade.conditions, name)}"
            for name in ("seed", "version", "sandbox")
            if (old := getattr(self.previous, name)) != getattr(self.grade.conditions, name)
        ]
        common = {"student": self.task.student.key, "exercise": self.grade.exercise}
        common["status"] = f"{self.previous.status} -> {self.grade.status}"
        common["because"] = ", ".join(why) or "graded again"
        return [{**common, "question": q, "before": b, "after": a} for q, b, a in rows]
