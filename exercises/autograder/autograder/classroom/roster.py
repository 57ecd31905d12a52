"""Who owns a file: students, their roster, and the names that course platforms give to files."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.classroom.csv_files import TableError, did_you_mean, read_table

COLUMNS = ("name", "email", "canvas_id", "moodle_id", "submitted")
WORK = re.compile(
    r"\d|exercise|homework|\bhw|assignment|solution|submission|answers|final|copy", re.IGNORECASE
)
CANVAS = re.compile(r"(?P<name>[^_]+)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)", re.DOTALL)
MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)", re.DOTALL
)


@dataclass(frozen=True)
class Student:
    """``key`` is how tables and folders name the student: the roster's, else the name on the submission."""

    key: str
    name: str = ""
    email: str = ""
    canvas_id: str = ""
    moodle_id: str = ""
    submitted: str = ""


@dataclass(frozen=True)
class Owner:
    """What the name of a file or folder says about its owner; ``file`` is the rest of the name."""

    name: str
    canvas_id: str = ""
    moodle_id: str = ""
    marked_late: bool = False
    file: str = ""

    @classmethod
    def of(cls, name: str, exercises: Iterable[str] = ()) -> "Owner":
        """From the first part of a place: a folder's name, or a file's without its suffix."""
        if found := MOODLE.fullmatch(name):
            return cls(found["name"], moodle_id=found["id"], file=found["file"])
        if found := CANVAS.fullmatch(name):
            return cls(
                found["name"], canvas_id=found["id"], marked_late=bool(found["late"]), file=found["file"]
            )
        for exercise in exercises:
            if found := re.fullmatch(rf"(.+?)[-_ .]+{re.escape(exercise)}", name, re.IGNORECASE):
                return cls(found[1], file=exercise)
        return cls(name)


def _words(name: str) -> list[str]:
    """A name's words without accents and case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", plain.casefold())


@dataclass(frozen=True)
class Roster:
    """The students of a class, by key."""

    students: dict[str, Student]
    path: Path

    @classmethod
    def read(cls, path: Path) -> "Roster":
        """Read a roster from a CSV file."""
        students: dict[str, Student] = {}
        seen: dict[tuple[str, str], str] = {}
        for where, row in read_table(path, ("student",), COLUMNS):
            student = Student(key=row["student"], **{column: row[column] for column in COLUMNS})
            if student.submitted:
                try:
                    datetime.fromisoformat(student.submitted)
                except ValueError:
                    form = "it should look like 2026-10-05T23:59+02:00"
                    raise TableError(f"{where}: submitted is {student.submitted!r}; {form}") from None
            for column in ("key", "canvas_id", "moodle_id"):
                value = getattr(student, column).casefold()
                if value and (column, value) in seen:
                    named = "student" if column == "key" else column
                    raise TableError(f"{where}: the {named} {value!r} belongs to {seen[column, value]} too")
                seen[column, value] = student.key
            students[student.key] = student
        if not students:
            raise TableError(f"{path}: names no student")
        return cls(students, path)

    def find(self, owner: Owner) -> list[Student]:
        """The students that may be meant: one, if all is well."""
        everyone = list(self.students.values())
        for column in ("canvas_id", "moodle_id"):
            value = getattr(owner, column)
            if value and (found := [s for s in everyone if getattr(s, column) == value]):
                return found
        name = owner.name.casefold().strip()
        for exact in (
            [s for s in everyone if s.key.casefold() == name],
            [
                s
                for s in everyone
                if s.email and name in (s.email.casefold(), s.email.casefold().split("@")[0])
            ],
        ):
            if exact:
                return exact
        words = _words(owner.name)
        if not words:
            return []
        return [s for s in everyone if s.name and _same_name(_words(s.name), words)]

    def named(self, owner: Owner) -> list[Student]:
        """As ``find``, but words for the work may follow the name: ``ada_homework 3``."""
        pieces = re.split(r"([-_ .]+)", owner.name)
        for size in range(len(pieces), 0, -2):
            part = "".join(pieces[:size])
            rest = "".join(pieces[size:])
            if rest and not WORK.search(rest):
                continue
            if part and (found := self.find(Owner(part, owner.canvas_id, owner.moodle_id))):
                return found
        return []


def _same_name(one: list[str], other: list[str]) -> bool:
    """Equal as sets of words, or as Canvas writes names: 'lovelaceada' for 'Ada Lovelace'."""
    if sorted(one) == sorted(other):
        return True
    return len(other) == 1 and other[0] in {"".join(one[i:] + one[:i]) for i in range(len(one))}


def known_student(word: str, students: Iterable[str], where: str) -> str:
    """The key that ``word`` names, or TableError with the nearest one."""
    keys = {key.casefold(): key for key in students}
    if word.casefold() not in keys:
        raise TableError(f"{where}: there is no student {word!r}{did_you_mean(word, keys.values())}")
    return keys[word.casefold()]
