"""What an instructor decides: deadlines, extensions, what lateness costs, points set by hand.

All arithmetic is exact: reductions are fractions, points decimal numbers, and times are compared as instants.
A day is one of the calendar in the deadline's zone, of 23 or 25 hours when clocks change.
"""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

from autograder.classroom.csv_files import TableError, did_you_mean, read_table
from autograder.classroom.roster import known_student
from autograder.classroom.submissions import Submitted
from autograder.classroom.times import aware_time, instant, later, started_days

UNITS = ("day", "hour")
HOUR = timedelta(hours=1)
DURATION = re.compile(r"([0-9]{1,6}(?:\.[0-9]+)?)\s*(m|min|h|d)")
LENGTHS = {"m": HOUR / 60, "min": HOUR / 60, "h": HOUR, "d": 24 * HOUR}
LATE_FORM = "10%/day,max=50%,grace=15m"


def exact(value: Fraction | int) -> str:
    """A decimal number without rounding, or rounded to six places where it has no end."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    return f"{value.numerator / value.denominator:.6f}".rstrip("0").rstrip(".")


def _percent(text: str, what: str) -> Fraction:
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)%", text)
    if not found or Fraction(found[1]) > 100:
        raise TableError(f"{what} is {text!r}; it should be a percentage from 0% to 100%")
    return Fraction(found[1]) / 100


@dataclass(frozen=True)
class LatePolicy:
    """``rate`` of the points won is lost for each started ``unit`` after the deadline, ``most`` at most.

    Within ``grace`` nothing is lost; after it, lateness counts from the deadline. What the course platform
    marked late, while no time says how late, loses ``marked``: by default as much as one started unit.
    """

    rate: Fraction = Fraction(0)
    unit: str = ""
    most: Fraction = Fraction(1)
    grace: timedelta = timedelta(0)
    marked: Fraction | None = None
    text: str = ""

    @classmethod
    def parse(cls, text: str) -> "LatePolicy":
        """Read a policy such as ``10%/day,max=50%,grace=15m``."""
        first, *rest = [piece.strip() for piece in text.split(",")]
        rate, slash, unit = first.partition("/")
        if slash and unit not in UNITS:
            raise TableError(f"--late-policy: {first!r} should look like 10%/day, 1%/hour, or 10% once")
        policy = cls(_percent(rate, "--late-policy: the rate"), unit, text=text)
        for piece in rest:
            name, _, value = piece.partition("=")
            if name == "max":
                policy = replace(policy, most=_percent(value, "--late-policy: max"))
            elif name == "marked":
                policy = replace(policy, marked=_percent(value, "--late-policy: marked"))
            elif name == "grace":
                found = DURATION.fullmatch(value)
                if not found:
                    raise TableError(f"--late-policy: grace is {value!r}; it should look like 15m, 2h or 1d")
                policy = replace(policy, grace=float(found[1]) * LENGTHS[found[2]])
            else:
                raise TableError(f"--late-policy: {piece!r} is not known; it should look like {LATE_FORM}")
        return policy

    def reduction(self, deadline: datetime, submitted: datetime) -> Fraction:
        """The part of the points that is lost."""
        late = instant(submitted) - instant(deadline)
        if late <= self.grace or late <= timedelta(0):
            return Fraction(0)
        units = {"": 1, "hour": -(-late // HOUR), "day": started_days(deadline, submitted)}[self.unit]
        return min(self.most, self.rate * units)

    @property
    def mark_reduction(self) -> Fraction:
        """The part of the points that a mark of lateness without a time costs."""
        return min(self.most, self.rate) if self.marked is None else self.marked


@dataclass(frozen=True)
class Lateness:
    """How late a submission is and what that costs; ``late`` is also true where only Canvas says so."""

    late: bool = False
    by: timedelta = timedelta(0)
    reduction: Fraction = Fraction(0)
    deadline: datetime | None = None
    extended: bool = False
    reason: str = ""
    note: str = ""


@dataclass(frozen=True)
class Extension:
    """A later deadline, or more time, for one exercise or for all."""

    deadline: datetime | None
    days: Fraction
    hours: Fraction
    exercise: str
    reason: str

    def of(self, deadline: datetime) -> datetime:
        """The later one of the deadline of all and the one that this extension gives."""
        given = self.deadline or later(deadline, self.days, self.hours)
        return max(deadline, given, key=instant)


def read_extensions(
    path: Path, students: Iterable[str], exercises: Iterable[str], others: Container[str] = ()
) -> dict[str, list[Extension]]:
    """Read the extensions of each student; a row is for one exercise, or for all if it names none.

    Rows that name one of the ``others`` are for another run.
    """
    students, exercises = list(students), list(exercises)
    found: dict[str, list[Extension]] = {}
    columns = ("deadline", "days", "hours", "exercise", "reason")
    for where, row in read_table(path, ("student",), columns):
        exercise = row["exercise"]
        if exercise not in exercises and exercise in others:
            continue
        student = known_student(row["student"], students, where)
        if exercise and exercise not in exercises:
            raise TableError(f"{where}: there is no exercise {exercise!r}{did_you_mean(exercise, exercises)}")
        if bool(row["deadline"]) == bool(row["days"] or row["hours"]):
            raise TableError(f"{where}: give either a deadline, or days and hours")
        longer = {}
        for unit in UNITS:
            given = row[f"{unit}s"] or "0"
            if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", given):
                raise TableError(f"{where}: {unit}s is {given!r}; it should be a number")
            longer[f"{unit}s"] = Fraction(given)
        deadline = aware_time(row["deadline"], f"{where}: deadline") if row["deadline"] else None
        made = Extension(deadline, **longer, exercise=exercise, reason=row["reason"])
        found.setdefault(student, []).append(made)
    return found


@dataclass(frozen=True)
class Override:
    """Points that an instructor sets by hand."""

    points: Fraction
    reason: str


def read_overrides(
    path: Path,
    students: Iterable[str],
    exercises: Mapping[str, Mapping[str, int]],
    others: Container[str] = (),
) -> dict[tuple[str, str], dict[str, Override]]:
    """Read the points set by hand, by (student, exercise); ``exercises`` has each question's maximum.

    Rows that name one of the ``others`` are for another run.
    """
    students = list(students)
    found: dict[tuple[str, str], dict[str, Override]] = {}
    for where, row in read_table(path, ("student", "exercise", "question", "points", "reason"), ()):
        exercise, question = row["exercise"], row["question"]
        if exercise not in exercises and exercise in others:
            continue
        student = known_student(row["student"], students, where)
        if exercise not in exercises:
            raise TableError(f"{where}: there is no exercise {exercise!r}{did_you_mean(exercise, exercises)}")
        if question not in exercises[exercise]:
            told = did_you_mean(question, exercises[exercise])
            raise TableError(f"{where}: {exercise} has no question {question!r}{told}")
        most = exercises[exercise][question]
        if not re.fullmatch(r"[0-9]+(\.[0-9]{1,4})?", row["points"]) or Fraction(row["points"]) > most:
            raise TableError(f"{where}: points is {row['points']!r}; it should be a number from 0 to {most}")
        mine = found.setdefault((student, exercise), {})
        if question in mine:
            raise TableError(f"{where}: sets question {question} of {student} a second time")
        mine[question] = Override(Fraction(row["points"]), row["reason"])
    return found


@dataclass(frozen=True)
class Rules:
    """What an instructor decided for one class."""

    deadline: datetime | None = None
    late_policy: LatePolicy = LatePolicy()
    extensions: Mapping[str, list[Extension]] = field(default_factory=dict)
    overrides: Mapping[tuple[str, str], Mapping[str, Override]] = field(default_factory=dict)

    def lateness(
        self, student: str, exercise: str, submitted: Submitted | None, marked_late: bool
    ) -> Lateness:
        """How late a submission is; of several deadlines of the student the latest counts."""
        if self.deadline is None:
            told = "the course platform marked it late; without --deadline it loses nothing for that"
            return Lateness(late=marked_late, note=told if marked_late else "")
        deadline, reason = self.deadline, ""
        for extension in self.extensions.get(student, ()):
            if extension.exercise in ("", exercise):
                longer = extension.of(self.deadline)
                if instant(longer) > instant(deadline):
                    deadline, reason = longer, extension.reason
        extended = instant(deadline) > instant(self.deadline)
        found = Lateness(deadline=deadline, extended=extended, reason=reason)
        after = instant(submitted.time) - instant(deadline) if submitted else None
        if submitted is not None and after is not None and after > timedelta(0):
            lost = self.late_policy.reduction(deadline, submitted.time)
            return replace(found, late=after > self.late_policy.grace, by=after, reduction=lost)
        if not marked_late or (submitted is not None and submitted.source == "roster"):
            return found if submitted else replace(found, note="its submission time is unknown")
        told = "its submission time is unknown"
        if submitted is not None:
            told = f"its {submitted.source} is before the deadline"
        told = f"the course platform marked it late, but {told}"
        if extended:
            return replace(found, note=f"{told}; it has an extension and loses nothing")
        lost = self.late_policy.mark_reduction
        told += f"; for the mark it loses {exact(lost * 100)} % (marked= in --late-policy)"
        told += "; a time in the roster counts more"
        return replace(found, late=True, reduction=lost, note=told)
