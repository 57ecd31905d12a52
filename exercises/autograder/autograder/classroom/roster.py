"""The students of a class, and which of them the name of a file means."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.csv_files import TableError, did_you_mean
from autograder.classroom.names import Owner, normalized
from autograder.classroom.rosters import COLUMNS, read_roster
from autograder.classroom.times import read_time

WORK = re.compile(
    r"\d|exercise|homework|\bhw|assignment|solution|submission|answers|final|copy|kopie|copie|copia|notebook",
    re.IGNORECASE,
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
    student_id: str = ""
    github: str = ""
    group: str = ""


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", normalized(name))


def _plain_words(name: str) -> list[str]:
    """A name's words without accents."""
    letters = unicodedata.normalize("NFKD", name)
    return _words("".join(c for c in letters if not unicodedata.combining(c)))


@dataclass(frozen=True)
class Roster:
    """The students of a class, by key; ``said`` is what to tell of how the table was read."""

    students: dict[str, Student]
    path: Path
    said: Sequence[str] = ()

    @classmethod
    def read(cls, path: Path) -> "Roster":
        """Read a roster from a CSV file."""
        students: dict[str, Student] = {}
        seen: dict[tuple[str, str], str] = {}
        rows, said = read_roster(path)
        for where, row in rows:
            key = unicodedata.normalize("NFC", row["student"])
            student = Student(key=key, **{column: row[column] for column in COLUMNS})
            if student.submitted:
                read_time(student.submitted, f"{where}: submitted")
            for column in ("key", "canvas_id", "moodle_id", "github"):
                value = normalized(getattr(student, column))
                if value and (column, value) in seen:
                    named = "student" if column == "key" else column
                    raise TableError(f"{where}: the {named} {value!r} belongs to {seen[column, value]} too")
                seen[column, value] = student.key
            students[student.key] = student
        if not students:
            raise TableError(f"{path}: names no student")
        return cls(students, path, said)

    def find(self, owner: Owner) -> list[Student]:
        """The students that may be meant: one, if all is well.

        Canvas's numbers and accounts are a person's: a student whose number is known and another one is not
        meant, whatever the name. Moodle draws new numbers for each assignment: there the name decides, and
        a number only between those who share it.
        """
        everyone = list(self.students.values())
        if owner.canvas_id:
            if found := [s for s in everyone if s.canvas_id == owner.canvas_id]:
                return found
            everyone = [s for s in everyone if not s.canvas_id]
        for account in filter(None, (normalized(owner.email), normalized(owner.account))):
            if found := [s for s in everyone if account in _accounts(s)]:
                return found
        found = self._by_name(owner.name, everyone)
        if owner.moodle_id and not found:  # Moodle puts the name of a group and a hyphen before a member's
            pieces = owner.name.split("-")
            tails = ("-".join(pieces[start:]) for start in range(1, len(pieces)))
            found = next((named for tail in tails if (named := self._by_name(tail, everyone))), [])
        if len(found) > 1:
            return [s for s in found if s.moodle_id and s.moodle_id == owner.moodle_id] or found
        return found

    def numbered(self, moodle_id: str) -> list[Student]:
        """The student of whom the roster has this number of Moodle's."""
        return [s for s in self.students.values() if s.moodle_id and s.moodle_id == moodle_id]

    def _by_name(self, text: str, everyone: Sequence[Student]) -> list[Student]:
        name, words, plain = normalized(text), _words(text), _plain_words(text)

        def by_email(student: Student) -> bool:
            email = normalized(student.email)
            return bool(email) and name in (email, email.split("@")[0])

        means: tuple[Callable[[Student], bool], ...] = (
            lambda s: normalized(s.key) == name,
            lambda s: bool(s.github) and normalized(s.github) == name,
            by_email,
            lambda s: bool(words) and _same_name(_words(s.name), words),
            lambda s: bool(plain) and _same_name(_plain_words(s.name), plain),
        )
        return next((found for meant in means if (found := [s for s in everyone if meant(s)])), [])

    def named(self, owner: Owner) -> list[Student]:
        """As ``find``, but words for the work may stand beside a name that people chose: ``ada_homework 3``.

        So may what most names of the class begin with, as they do on GitHub Classroom: ``exercise-1-ada``.
        """
        return self._beside_work(owner, self.find)

    def under_another_name(self, owner: Owner) -> Student | None:
        """Whose number stands beside a name that is not the student's.

        Canvas puts the number of one member beside the name of the group.
        """
        found = [s for s in self.students.values() if s.canvas_id and s.canvas_id == owner.canvas_id]
        return found[0] if found and not self._by_name(owner.name, found) else None

    def members(self, owner: Owner) -> list[Student]:
        """The students of the group that a name is; none where it is no group's, or could be two groups'."""
        return self._beside_work(owner, self._group)

    def _group(self, owner: Owner) -> list[Student]:
        groups: dict[str, list[Student]] = defaultdict(list)
        for student in self.students.values():
            for group in {name.strip() for name in re.split(r"[;,]", normalized(student.group))} - {""}:
                groups[group].append(student)
        if found := groups.get(normalized(owner.name)):
            return found
        squeezed = "".join(_words(owner.name))  # as Canvas writes names: 'team7' for 'Team 7'
        alike = [members for group, members in groups.items() if "".join(_words(group)) == squeezed != ""]
        return alike[0] if len(alike) == 1 else []

    def _beside_work(self, owner: Owner, find: Callable[[Owner], list[Student]]) -> list[Student]:
        if not owner.is_free:
            return find(owner)
        if found := find(Owner(owner.name)):
            return found
        pieces = re.split(r"([-_ .]+)", owner.name)
        sides: list[list[Student]] = []
        for sizes, is_front in ((range(len(pieces) - 2, 0, -2), True), (range(2, len(pieces), 2), False)):
            for size in sizes:
                front, back = "".join(pieces[:size]), "".join(pieces[size:])
                part, rest = (front, back) if is_front else (back, front)
                may_be = WORK.search(rest) or (not is_front and front == owner.front)
                if part and may_be and (found := find(Owner(part))):
                    sides.append(found)
                    break
        return list(dict.fromkeys(student for side in sides for student in side))


def _accounts(student: Student) -> set[str]:
    """The words that platforms know a student by."""
    email = normalized(student.email)
    words = (normalized(student.key), email, email.split("@")[0], normalized(student.student_id))
    return {word for word in words if word}


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
