"""The students of a class, and which of them the name of a file means."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.csv_files import TableError, did_you_mean, read_table
from autograder.classroom.names import Owner, normalized
from autograder.classroom.times import read_time

COLUMNS = ("name", "email", "canvas_id", "moodle_id", "submitted")
WORK = re.compile(
    r"\d|exercise|homework|\bhw|assignment|solution|submission|answers|final|copy", re.IGNORECASE
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


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", normalized(name))


def _plain_words(name: str) -> list[str]:
    """A name's words without accents."""
    letters = unicodedata.normalize("NFKD", name)
    return _words("".join(c for c in letters if not unicodedata.combining(c)))


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
            key = unicodedata.normalize("NFC", row["student"])
            student = Student(key=key, **{column: row[column] for column in COLUMNS})
            if student.submitted:
                read_time(student.submitted, f"{where}: submitted")
            for column in ("key", "canvas_id", "moodle_id"):
                value = normalized(getattr(student, column))
                if value and (column, value) in seen:
                    named = "student" if column == "key" else column
                    raise TableError(f"{where}: the {named} {value!r} belongs to {seen[column, value]} too")
                seen[column, value] = student.key
            students[student.key] = student
        if not students:
            raise TableError(f"{path}: names no student")
        return cls(students, path)

    def find(self, owner: Owner) -> list[Student]:
        """The students that may be meant: one, if all is well.

        A student whose number on the platform is known and another one is not meant, whatever the name.
        """
        everyone = list(self.students.values())
        for column in ("canvas_id", "moodle_id"):
            if value := getattr(owner, column):
                if found := [s for s in everyone if getattr(s, column) == value]:
                    return found
                everyone = [s for s in everyone if not getattr(s, column)]
        name, words, plain = normalized(owner.name), _words(owner.name), _plain_words(owner.name)

        def by_email(student: Student) -> bool:
            email = normalized(student.email)
            return bool(email) and name in (email, email.split("@")[0])

        means: tuple[Callable[[Student], bool], ...] = (
            lambda s: normalized(s.key) == name,
            by_email,
            lambda s: bool(words) and _same_name(_words(s.name), words),
            lambda s: bool(plain) and _same_name(_plain_words(s.name), plain),
        )
        return next((found for meant in means if (found := [s for s in everyone if meant(s)])), [])

    def named(self, owner: Owner) -> list[Student]:
        """As ``find``, but words for the work may follow a name that people chose: ``ada_homework 3``."""
        if not owner.is_free:
            return self.find(owner)
        pieces = re.split(r"([-_ .]+)", owner.name)
        for size in range(len(pieces), 0, -2):
            part = "".join(pieces[:size])
            rest = "".join(pieces[size:])
            if rest and not WORK.search(rest):
                continue
            if part and (found := self.find(Owner(part))):
                return found
        return []


def _same_name(one: list[str], other: list[str]) -> bool:
    """Equal as sets of words, or as Canvas writes names: 'lovelaceada' for 'Ada Lovelace'."""
    if sorted(one) == sorted(other):
        return bool(one)
    return len(other) == 1 and other[0] in {"".join(one[i:] + one[:i]) for i in range(len(one))}


def known_student(word: str, students: Iterable[str], where: str) -> str:
    """The key that ``word`` names, or TableError with the nearest one."""
    keys = list(students)
    composed = unicodedata.normalize("NFC", word)
    if composed in keys:
        return composed
    found = [key for key in keys if normalized(key) == normalized(word)]
    if len(found) > 1:
        raise TableError(f"{where}: the student {word!r} could be {' and '.join(map(repr, found))}")
    if not found:
        raise TableError(f"{where}: there is no student {word!r}{did_you_mean(word, keys)}")
    return found[0]
