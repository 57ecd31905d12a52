"""Reading the table of a class, as an instructor writes it or a course platform exports it.

Nothing is dropped silently: what is told names the columns that are not read, the rows that are no students,
and the column that the students are called by where none has the title ``student``.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.classroom.csv_files import TableError, did_you_mean, listed, read_rows, title
from autograder.classroom.names import normalized

COLUMNS = ("name", "email", "canvas_id", "moodle_id", "student_id", "github", "group", "submitted")
# by column, the titles that platforms give it; 'login', 'first', 'last' and 'role' only help to make others
TITLES = {
    "student": ("student",),
    "name": ("name", "full name", "student name", "display name"),
    "first": ("first name", "given name", "forename"),
    "last": ("last name", "surname", "family name"),
    "email": ("email", "email address", "mail", "mail address"),
    "login": ("sis login id", "login id", "login", "username", "user id", "display id", "identifier"),
    "canvas_id": ("canvas id", "canvas user id"),
    "moodle_id": ("moodle id",),
    "student_id": ("student id", "sid", "sis user id", "org defined id", "id number", "student number"),
    "github": ("github", "github username", "github user"),
    "group": ("group", "group name", "team", "team name"),
    "submitted": ("submitted", "submitted at", "submission time"),
    "role": ("role", "course role"),
}
MEANS = {title(text): column for column, texts in TITLES.items() for text in texts}
CALLED_BY = ("login", "student_id", "email", "name")
PARTICIPANT = re.compile(r"\D+ ([0-9]+)")
TEST_STUDENTS = ("student, test", "test student")
STUDENTS_ROLES = tuple(map(title, ("student", "learner", "student enrollment")))
NUMBERS = ("student", "login", "canvas_id", "moodle_id", "student_id")
# as a spreadsheet writes numbers of which it keeps 15 digits, and whole ones as decimals
ROUNDED = re.compile(r"[0-9](?:[.,][0-9]+)?E\+[0-9]+", re.IGNORECASE)
DIGITS_KEPT = 15
DECIMAL = re.compile(r"([0-9]+)[.,]0+")

Row = tuple[str, dict[str, str]]


def read_roster(path: Path) -> tuple[list[Row], list[str]]:
    """The rows of a roster, with their places, ``student`` and all of ``COLUMNS``; and what is to be told."""
    titles, lines = read_rows(path)
    header = ", ".join(("student", *COLUMNS))
    if not titles:
        raise TableError(f"{path}: is empty; its first line should be student, or more of {header}")
    places, unread = _columns(path, titles)
    if not set(places) & {"student", *CALLED_BY, "last"}:
        told = did_you_mean("student", titles)
        raise TableError(f"{path}: has no column 'student'{told}; its header should hold {header}")
    rows = [(where, {column: fields[place] for column, place in places.items()}) for where, fields in lines]
    if "role" in places and not any(title(row["role"]) in STUDENTS_ROLES for _, row in rows):
        unread.append(titles[places.pop("role")])  # in words that are not known: it tells nobody apart
    said = _without_rounded(path, rows, {column: titles[place] for column, place in places.items()})
    if unread:
        said.append(f"{path.name}: columns not read: {listed(map(repr, unread))}")
    is_canvas = _is_of_canvas(places, titles)
    students = []
    for where, row in rows:
        full = _completed(row, is_canvas)
        role = row["role"] if "role" in places else ""
        if reason := _no_student(row, is_canvas) or _of_staff(full, role):
            said.append(f"{where}: {reason}, and is not read as a student")
        else:
            students.append((where, full))
    if "student" not in places or is_canvas:
        column = _called_by(students)
        known = (
            titles[places[column]] if column in places else titles[places["student" if is_canvas else "last"]]
        )
        for _, row in students:
            row["student"] = row[column]
        said.append(f"{path.name}: students are called by its column {known!r}")
    for where, row in students:
        if not row["student"]:
            raise TableError(f"{where}: the column 'student' is empty")
    return students, said


def _columns(path: Path, titles: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """The place of each column that is known, and the titles of those that are not read."""
    names = [title(text) for text in titles]
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        if name in MEANS:
            if names.count(name) > 1:
                raise TableError(f"{path}: has the column {titles[place]!r} twice")
            places.setdefault(MEANS[name], place)
    if "student" in places and "id" in names and _canvas_titles(titles):
        places["canvas_id"] = names.index("id")
    if "name" in places:
        places = {column: place for column, place in places.items() if column not in ("first", "last")}
    read = set(places.values())
    return places, [text for place, text in enumerate(titles) if place not in read and text]


def _canvas_titles(titles: Sequence[str]) -> bool:
    return bool({title(text) for text in titles} & {"sisloginid", "sisuserid", "section"})


def _is_of_canvas(places: Mapping[str, int], titles: Sequence[str]) -> bool:
    """Whether the table is the gradebook of Canvas, whose column ``Student`` holds names."""
    return "canvas_id" in places and title(titles[places["canvas_id"]]) == "id"


def _no_student(row: Mapping[str, str], is_canvas: bool) -> str:
    """Why a row is no student's; '' if it is."""
    name = normalized(row.get("student", ""))
    if name.startswith("points possible"):
        return f"{row['student']!r} are points"
    if is_canvas and name in TEST_STUDENTS:
        return f"{row['student']!r} is Canvas's test student"
    if is_canvas and not name and not row["canvas_id"]:
        return "it names nobody"
    return ""


def _of_staff(full: Mapping[str, str], role: str) -> str:
    """Why the role of somebody is no student's; '' if it is, or is not told."""
    if not role or title(role) in STUDENTS_ROLES:
        return ""
    called = full["name"] or full["student"] or full["email"] or full["login"]
    return f"{called!r} has the role {role!r}"


def _without_rounded(path: Path, rows: Sequence[Row], titles: Mapping[str, str]) -> list[str]:
    """Make decimals whole again and empty the numbers that a spreadsheet has rounded; what is to be told."""
    said = []
    for column in [column for column in NUMBERS if column in titles]:
        long = [row[column] for _, row in rows if row[column].isdecimal() and len(row[column]) > DIGITS_KEPT]
        end_in_zeros = column == "canvas_id" and all(set(text[DIGITS_KEPT:]) == {"0"} for text in long)
        rounded = []
        for where, row in rows:
            text = row[column]
            if ROUNDED.fullmatch(text) or (end_in_zeros and text in long):
                rounded.append(f"{text!r} in {where.partition(', ')[2]}")
                row[column] = ""
            elif column.endswith("_id") and (found := DECIMAL.fullmatch(text)):
                row[column] = found[1]
        if not rounded:
            continue
        which = f"{titles[column]!r} ({listed(rounded, 1)})"
        told = f"{path.name}: a spreadsheet has rounded the numbers of {which}"
        remedy = "export the table again and do not save it in a spreadsheet, or make the column text there"
        if column == "student":
            raise TableError(f"{told}: {remedy}")
        said.append(f"{told}, so they are not read, and names count: {remedy}")
    return said


def _completed(row: Mapping[str, str], is_canvas: bool) -> dict[str, str]:
    """The row with all columns, some of them made of what platforms give instead."""
    full = {column: row.get(column, "") for column in ("student", "login", *COLUMNS)}
    if is_canvas:
        full["name"] = full["name"] or full["student"]
    full["name"] = full["name"] or f"{row.get('first', '')} {row.get('last', '')}".strip()
    if found := PARTICIPANT.fullmatch(full["login"]):  # as Moodle's grading worksheet tells its numbers
        full["moodle_id"], full["login"] = full["moodle_id"] or found[1], ""
    return full


def _called_by(rows: Sequence[Row]) -> str:
    """The first column that names every student, and each by another word."""
    for column in CALLED_BY:
        words = [normalized(row[column]) for _, row in rows]
        if all(words) and len(set(words)) == len(words):
            return column
    return next((column for column in CALLED_BY if all(row[column] for _, row in rows)), "name")
