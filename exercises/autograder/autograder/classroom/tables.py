"""The tables of a graded class: grades, what a regrading changed, statistics, and the summary."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from autograder.classroom import statistics
from autograder.classroom.assessment import Assessment
from autograder.classroom.csv_files import csv_text, split_off
from autograder.classroom.gradebook import Gradebook
from autograder.classroom.policy import exact
from autograder.classroom.reports import delay
from autograder.classroom.roster import Student
from autograder.judging.grade import text_table
from autograder.judging.results import UNGRADED

NUMBERS = ("canvas_id", "moodle_id")
COPIED = "modification time"


def write_tables(
    gradebook: Gradebook, assessments: Sequence[Assessment], failures: Sequence[str]
) -> list[str]:
    """Write the files of the whole class, and say which cells of grades.csv somebody had typed into."""
    rows, columns = grade_rows(assessments)
    changed = gradebook.changed_grades()
    typed = typed_over(*changed) if changed else []
    gradebook.write_grades(csv_text(rows, columns), keep=bool(typed))
    gradebook.write("canvas.csv", _canvas(assessments))
    gradebook.write("moodle.csv", _moodle(assessments))
    changes = [row for assessment in assessments for row in assessment.changes()]
    header = ("student", "exercise", "question", "before", "after", "status", "because")
    gradebook.write("changes.csv", csv_text(changes, header) if changes else None)
    found = statistics.by_exercise(assessments)
    gradebook.write("statistics.json", statistics.as_json(found))
    gradebook.write("statistics.md", statistics.as_markdown(found))
    gradebook.write("statistics.png", statistics.as_plot(found))
    gradebook.write("errors.log", "\n".join(sorted(failures)) if failures else None)
    return typed


def late_by_their_files(assessments: Sequence[Assessment]) -> str | None:
    """A warning where all are late by the times of their files, which copying sets to the time of copying."""
    chosen = [a.task.chosen for a in assessments]
    late = [a.lateness.late for a in assessments if a.task.chosen and a.task.chosen.submitted]
    sources = {c.submitted.source for c in chosen if c and c.submitted}
    if len(late) < 3 or not all(late) or sources != {COPIED}:
        return None
    return (
        f"warning: all {len(late)} submissions are late by the times of their files, and a file that was "
        "copied has the time of copying. Give the roster a column 'submitted' with your platform's times."
    )


def grade_rows(assessments: Sequence[Assessment]) -> tuple[list[dict[str, object]], list[str]]:
    """The rows of grades.csv, one per student, and its columns."""
    students: dict[str, list[Assessment]] = {}
    for assessment in assessments:
        students.setdefault(assessment.task.student.key, []).append(assessment)
    exercises = list(dict.fromkeys(a.grade.exercise for a in assessments))
    several = len(exercises) > 1
    questions = [r.question for a in next(iter(students.values())) for r in a.grade.questions]
    columns = ["student", "name", "email"]
    columns += [name for name in NUMBERS if any(getattr(a.task.student, name) for a in assessments)]
    columns += ["status", "late", "late_by", "reduction_percent"]
    columns += ["submitted", "submitted_told_by"] if not several else []
    columns += [f"{name} {what}" for name in exercises for what in ("status", "total")] if several else []
    columns += [*questions, "points", "total", "max", "overrides", "notes"]
    return [_grade_row(group, several) for group in students.values()], columns


def _grade_row(group: Sequence[Assessment], several: bool) -> dict[str, object]:
    known = all(a.is_known for a in group)
    statuses = {a.grade.status for a in group}
    order = (UNGRADED, "timeout", "out-of-memory", "crashed", "unreadable", "ok", "empty", "missing")
    student = group[0].task.student
    row: dict[str, object] = {"student": student.key, "name": student.name, "email": student.email}
    row |= {name: getattr(student, name) for name in NUMBERS}
    row["status"] = next(status for status in order if status in statuses)
    row["late"] = "yes" if any(a.lateness.late for a in group) else "no"
    row["points"] = exact(sum((a.points for a in group), Fraction(0))) if known else ""
    row["total"] = exact(sum((a.total for a in group), Fraction(0))) if known else ""
    row["max"] = sum(a.grade.max_points for a in group)

    def joined(texts: list[tuple[Assessment, str]]) -> str:
        return "; ".join(f"{a.grade.exercise}: {text}" if several else text for a, text in texts if text)

    row["late_by"] = joined([(a, delay(a)) for a in group])
    reduced = [(a, exact(a.lateness.reduction * 100)) for a in group]
    row["reduction_percent"] = joined(reduced if not several else [(a, t) for a, t in reduced if t != "0"])
    row["overrides"] = joined([(a, text) for a in group for text in a.override_texts])
    row["notes"] = joined([(a, note) for a in group for note in a.notes])
    chosen = group[0].task.chosen
    if chosen is not None and chosen.submitted is not None:
        row["submitted"] = chosen.submitted.time.isoformat()
        row["submitted_told_by"] = chosen.submitted.source
    for a in group:
        row[f"{a.grade.exercise} status"] = a.grade.status
        row[f"{a.grade.exercise} total"] = exact(a.total) if a.is_known else ""
        row |= {q: exact(points) if a.is_known else "" for q, points in a.question_points.items()}
    return row


def _totals(assessments: Sequence[Assessment], number: str) -> dict[Student, dict[str, str]]:
    """The totals by exercise of the students of whom the roster has a number or an address.

    Whoever has a total that is not known is left out: the platforms take a blank cell for no grade, and
    would remove the one that is there.
    """
    unknown = {a.task.student for a in assessments if not a.is_known}
    totals: dict[Student, dict[str, str]] = {}
    for a in assessments:
        if getattr(a.task.student, number) and a.task.student not in unknown:
            totals.setdefault(a.task.student, {})[a.grade.exercise] = exact(a.total)
    return totals


def _canvas(assessments: Sequence[Assessment]) -> str | None:
    """The table that the gradebook of Canvas imports."""
    totals = _totals(assessments, "canvas_id")
    most = {a.grade.exercise: a.grade.max_points for a in assessments}
    rows: list[dict[str, object]] = [{"Student": "Points Possible", **most}]
    rows += [{"Student": s.name or s.key, "ID": s.canvas_id, **points} for s, points in totals.items()]
    columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *most]
    return csv_text(rows, columns) if totals else None


def _moodle(assessments: Sequence[Assessment]) -> str | None:
    """The table that the gradebook of Moodle imports, which knows people by their addresses."""
    totals = _totals(assessments, "email")
    exercises = list(dict.fromkeys(a.grade.exercise for a in assessments))
    rows = [{"Full name": s.name or s.key, "Email address": s.email, **p} for s, p in totals.items()]
    return csv_text(rows, ["Full name", "Email address", *exercises]) if totals else None


def typed_over(written: str, found: str) -> list[str]:
    """The cells of grades.csv that somebody has changed since it was written, in words."""
    before, after = (
        {
            row.get("student", ""): row
            for row in csv.DictReader(io.StringIO(rows.lstrip("\r\n")), delimiter=delimiter)
        }
        for rows, delimiter in (split_off(text) for text in (written, found))
    )
    return [
        f"{student}, {column}: {after[student][column] or 'nothing'} for {value or 'nothing'}"
        for student, row in before.items()
        if student in after
        for column, value in row.items()
        if (after[student].get(column) or "") != value
    ]


def summary(assessments: Sequence[Assessment], out: Path) -> str:
    """The summary of a run, for the screen."""
    rows = [("exercise", "submissions", "mean", "of", "late", "statuses")]
    for one in statistics.by_exercise(assessments):
        statuses = ", ".join(f"{count} {status}" for status, count in one["statuses"].items())
        handed_in = one["students"] - one["statuses"].get("missing", 0)
        mean = "" if one["mean"] is None else f"{one['mean']:.2f}"
        rows.append(
            (one["exercise"], str(handed_in), mean, str(one["max_points"]), str(one["late"]), statuses)
        )
    lines = [text_table(rows)]
    changes = [row for assessment in assessments for row in assessment.changes()]
    if changes:
        names = ("student", "exercise", "question", "before", "after", "because")
        lines.append(f"\nchanged since the last grading ({out / 'changes.csv'}):")
        lines.append(text_table([names, *(tuple(str(row[name]) for name in names) for row in changes)]))
    counts = Counter(a.grade.status for a in assessments)
    if counts[UNGRADED]:
        lines.append(f"\nnot graded, because the grader failed ({out / 'errors.log'}):")
        for a in assessments:
            if not a.is_known:
                lines.append(f"  {a.task.student.key}, {a.grade.exercise}: {a.grade.message}")
    lines.append(f"\ngrades: {out / 'grades.csv'}; feedback: {out / 'submissions'}")
    return "\n".join(lines)
