"""A grade with all that an instructor ruled on it: the student, lateness, points set by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from autograder.grade import Grade
from autograder.policy import Lateness, Override, exact
from autograder.results import UNGRADED
from autograder.submissions import Task


def number(value: Fraction | int) -> int | float:
    return int(value) if Fraction(value).denominator == 1 else float(value)


@dataclass(frozen=True)
class Assessment:
    """``grade`` is what the submission's code is worth; ``points`` and ``total`` are what the student gets.

    Points set by hand take the place of a question's; lateness reduces the sum of all. ``previous`` is what
    the same submission was worth before it was graded anew.
    """

    task: Task
    grade: Grade
    lateness: Lateness = field(default_factory=Lateness)
    overrides: Mapping[str, Override] = field(default_factory=dict)
    previous: Mapping[str, Any] | None = None

    @property
    def is_known(self) -> bool:
        return self.grade.status != UNGRADED

    @property
    def question_points(self) -> dict[str, Fraction]:
        raw = {result.question: Fraction(result.points) for result in self.grade.results}
        return raw | {question: override.points for question, override in self.overrides.items()}

    @property
    def points(self) -> Fraction:
        return sum(self.question_points.values(), Fraction(0))

    @property
    def total(self) -> Fraction:
        return self.points * (1 - self.lateness.reduction)

    @property
    def override_texts(self) -> list[str]:
        raw = {result.question: result.points for result in self.grade.results}
        return [
            f"{question}: {raw[question]} -> {exact(set_by.points)} ({set_by.reason})"
            for question, set_by in sorted(self.overrides.items())
        ]

    @property
    def notes(self) -> list[str]:
        others = [f"not graded: {other}" for other in self.task.others]
        told = [note for note in (self.grade.message, self.lateness.note) if note]
        return [*told, *self.task.notes, *others]

    def to_json(self) -> dict[str, Any]:
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
            "previous": dict(self.previous) if self.previous else None,
        }

    def changes(self) -> list[dict[str, Any]]:
        """What grading anew changed, a row a question and one for the sum; none if nothing did."""
        if not self.previous or not self.is_known:
            return []
        before = self.previous["points"]
        after = {result.question: result.points for result in self.grade.results}
        names = sorted(before.keys() | after.keys())
        changed = [(q, before.get(q, ""), after.get(q, "")) for q in names if before.get(q) != after.get(q)]
        if not changed and self.previous["status"] == self.grade.status:
            return []
        rows = [*changed, ("sum", sum(before.values()), self.grade.points)]
        why = [
            f"{name} {self.previous[name]} -> {self.grade.conditions.get(name)}"
            for name in ("seed", "version", "sandbox")
            if self.previous[name] != self.grade.conditions.get(name)
        ]
        common = {"student": self.task.student.key, "exercise": self.grade.exercise}
        common["status"] = f"{self.previous['status']} -> {self.grade.status}"
        common["because"] = ", ".join(why) or "graded again"
        return [{**common, "question": q, "before": b, "after": a} for q, b, a in rows]


def summary(record: Mapping[str, Any]) -> dict[str, Any]:
    """What a record keeps of the one that it replaces."""
    kept = {name: record.get(name) for name in ("seed", "version", "sandbox", "status")}
    return {**kept, "points": {q["question"]: q["points"] for q in record["questions"]}}
