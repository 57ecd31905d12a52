"""A class of two platforms with everything that names and times can bring, and its grade table by hand.

Nothing here calls the grader: the rows are written down, and only sums and percentages computed.
"""

import csv
import io
import json
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from autograder.authoring.source import read_source
from grader_cases import SAMPLE

SIZE = 60
MOST = {"01.1": 3, "01.2": 1, "01.3": 2, "01.4": 2}
# clocks go back in the night after the deadline: from 23:59 on, the day after has 25 hours
RULES = ["--deadline", "2026-10-24T23:59 Europe/Berlin", "--platform", "canvas", "--platform", "moodle"]
RULES += ["--late-policy", "10%/day,max=50%,grace=15m,marked=20%"]
MARKED = "the course platform marked it late, but its archive entry is before the deadline"
LOSES = "for the mark it loses 20 % (marked= in --late-policy); a time in the roster counts more"
TWICE = "2026-10-25 02:30, which clocks in Europe/Berlin show twice; 2026-10-25T02:30+02:00 is taken"
FIRST_NAMES = ("Zoë", "Łukasz", "Nguyễn", "D'Arcy", 'Max "Q"', "Ødegård", "José", "Çelik", "李", "Sophie")


@dataclass(frozen=True)
class Answers:
    """A notebook by its cells that differ from the solution, and what it truly earns."""

    cells: dict[str, str] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    status: str = "ok"
    message: str = ""

    def content(self, mark: str) -> bytes:
        """The notebook; ``mark`` makes it different from all others."""
        source = read_source(SAMPLE / "exercise.md")
        texts = [source.setup, *(source.solutions | self.cells).values(), f"# {mark}"]
        return json.dumps({"cells": [{"cell_type": "code", "source": text} for text in texts]}).encode()

    @property
    def won(self) -> dict[str, int]:
        return MOST | self.points


COUNT = {"01.2": "# question 01.2\nn_scores = 25"}
SUM = {"01.3": "# question 01.3\ndef masked_mean(values, keep):\n    return (values * keep).sum(-1)"}
ENDED = {"01.3": "# question 01.3\n1 / 0"}
RIGHT = Answers()
ALL = (
    RIGHT,
    Answers(COUNT, {"01.2": 0}),
    Answers(SUM, {"01.3": 0}),
    Answers(COUNT | SUM, {"01.2": 0, "01.3": 0}),
    Answers(ENDED, {"01.3": 0}, "crashed"),
    Answers(dict(read_source(SAMPLE / "exercise.md").stubs), dict.fromkeys(MOST, 0), "empty",
            "{label}: no question is answered"),
)  # fmt: skip


@dataclass(frozen=True)
class When:
    """The time that the platform's clock shows, as a zip has it, and what follows from it."""

    clock: tuple[int, ...]
    submitted: str
    late: str = "no"
    late_by: str = ""
    percent: int = 0
    marked: bool = False
    rule_note: str = ""
    note: str = ""


EARLY = When((2026, 10, 23, 12, 0, 0), "2026-10-23T12:00:00+02:00")
ALL_TIMES = (
    EARLY,
    When((2026, 10, 24, 23, 59, 0), "2026-10-24T23:59:00+02:00"),
    When((2026, 10, 25, 0, 10, 0), "2026-10-25T00:10:00+02:00", late_by="11 min"),
    When((2026, 10, 25, 2, 30, 0), "2026-10-25T02:30:00+02:00", "yes", "2 h 31 min", 10,
         note=f"the archive entry says {TWICE}"),
    When((2026, 10, 25, 3, 30, 0), "2026-10-25T03:30:00+01:00", "yes", "4 h 31 min", 10),
    When((2026, 10, 25, 23, 59, 0), "2026-10-25T23:59:00+01:00", "yes", "1 day 1 h", 10),
    When((2026, 10, 26, 0, 0, 0), "2026-10-26T00:00:00+01:00", "yes", "1 day 1 h 1 min", 20),
    When((2026, 10, 30, 12, 0, 0), "2026-10-30T12:00:00+01:00", "yes", "5 days 13 h 1 min", 50),
    replace(EARLY, late="yes", percent=20, marked=True, rule_note=f"{MARKED}; {LOSES}"),
)  # fmt: skip


@dataclass
class SixtyClass:
    """The files of a class, its tables, and the rows of grades.csv that are true of it."""

    entries: list[tuple[str, tuple[int, ...], bytes]] = field(default_factory=list)
    roster: list[tuple[str, ...]] = field(default_factory=list)
    extensions: list[tuple[str, ...]] = field(default_factory=list)
    overrides: list[tuple[str, ...]] = field(default_factory=list)
    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    true: dict[bytes, Answers] = field(default_factory=dict)

    def student(self, key: str, name: str, canvas: str = "", moodle: str = "", submitted: str = "") -> None:
        self.roster.append((key, name, f"{key}@example.org", canvas, moodle, submitted))

    def hand_in(self, place: str, answers: Answers, when: When = EARLY) -> str:
        """Puts a notebook into the class; its label."""
        content = answers.content(f"{place} {len(self.entries)}")
        self.true[content] = answers
        self.entries.append((place, when.clock, content))
        return place

    def row(self, key: str, name: str, answers: Answers | None = RIGHT, when: When | None = EARLY,
            status: str = "", listed: bool = True, set_by_hand: dict[str, Fraction] | None = None,
            label: str = "", **cells: str) -> None:  # fmt: skip
        """Writes down the row of a student."""
        won = (
            {q: Fraction(points) for q, points in answers.won.items()}
            if answers
            else dict.fromkeys(MOST, Fraction(0))
        )
        won |= set_by_hand or {}
        when = when or When((), "")
        total = sum(won.values()) * (100 - when.percent) / 100
        told = [answers.message.format(label=label) if answers else "", when.rule_note, when.note]
        self.rows[key] = {
            "student": key,
            "name": name,
            "email": f"{key}@example.org" if listed else "",
            "status": status or (answers.status if answers else "missing"),
            "late": when.late,
            "late_by": when.late_by,
            "reduction_percent": str(when.percent),
            "submitted": when.submitted,
            "submitted_told_by": "archive entry" if when.submitted else "",
            **{question: decimal(points) for question, points in won.items()},
            "points": decimal(sum(won.values(), Fraction(0))),
            "total": decimal(total),
            "max": "8",
            "overrides": "",
            "notes": "; ".join(filter(None, told)),
        } | cells

    def write(self, folder: Path) -> list[str]:
        """Writes class.zip and the tables; the words that name them."""
        with zipfile.ZipFile(folder / "class.zip", "w") as archive:
            for place, clock, content in self.entries:
                archive.writestr(zipfile.ZipInfo(place, clock), content)
        words = []
        tables = {
            "roster": (("student", "name", "email", "canvas_id", "moodle_id", "submitted"), self.roster),
            "extensions": (("student", "deadline", "days", "hours", "reason"), self.extensions),
            "overrides": (("student", "exercise", "question", "points", "reason"), self.overrides),
        }
        for name, (header, rows) in tables.items():
            text = io.StringIO(newline="")
            csv.writer(text).writerows([header, *rows])
            (folder / f"{name}.csv").write_text(text.getvalue(), encoding="utf-8", newline="")
            words += [f"--{name}", str(folder / f"{name}.csv")]
        return [*words, *RULES]


def decimal(value: Fraction) -> str:
    """Points have at most three decimals here: quarters of a point, and per cents of points."""
    whole, rest = divmod(value * 10_000, 10_000)
    return f"{whole}.{int(rest):04d}".rstrip("0").rstrip(".")


def class_of(size: int) -> SixtyClass:
    """All that is special, and ordinary students up to ``size`` rows."""
    made = SixtyClass()
    _numbers_and_names(made)
    _nobodys(made)
    _resubmitted(made)
    _unread(made)
    _ruled(made)
    ordinary = _ordinary(made)
    while len(made.rows) < size:
        next(ordinary)
    assert len(made.rows) == size
    return made


def _ordinary(made: SixtyClass) -> Iterator[None]:
    """Every time with every kind of answer comes up, by turns on each platform."""
    for number in range(1000):
        answers, when = ALL[number % len(ALL)], ALL_TIMES[(number * 5 + number // 9) % len(ALL_TIMES)]
        name = f"{FIRST_NAMES[number % len(FIRST_NAMES)]} von Test{number}"
        key = f"s{number:03d}"
        if number % 2 and not when.marked:
            made.student(key, name, moodle=str(5000 + number))
            # a zip of macOS has letters and accents apart
            written = unicodedata.normalize("NFD" if number % 3 else "NFC", name)
            place = f"{written}_{5000 + number}_assignsubmission_file_/home work.ipynb"
        else:
            made.student(key, name, canvas=str(3000 + number))
            late = "_LATE" if when.marked else ""
            place = f"vontest{number}{late}_{3000 + number}_77{number}_hw-{number}.ipynb"
        made.row(key, name, answers, when, label=made.hand_in(place, answers, when))
        yield


def _numbers_and_names(made: SixtyClass) -> None:
    """Twins whose numbers the roster has, and one student on both platforms."""
    for key, number, answers in (("anna-1", "901", ALL[1]), ("anna-2", "902", ALL[2])):
        made.student(key, "Anna Müller", canvas=number)
        made.hand_in(f"mulleranna_{number}_1_hw.ipynb", answers)
        made.row(key, "Anna Müller", answers)
    made.student("both", "Bo Both", "903", "904")
    older = made.hand_in("bothbo_903_1_hw.ipynb", ALL[3])
    made.hand_in("Bo Both_904_assignsubmission_file_/hw.ipynb", RIGHT, ALL_TIMES[1])
    made.row("both", "Bo Both", RIGHT, ALL_TIMES[1], notes=f"not graded: {older}: older")


def _nobodys(made: SixtyClass) -> None:
    """Twins without numbers, a stranger, and names that can be read in two ways."""
    told = {key: [] for key in ("ben-1", "ben-2")}
    for number in ("71", "72"):
        stranger = f"Ben O'Neil_moodle_{number}"
        made.hand_in(f"Ben O'Neil_{number}_assignsubmission_file_/hw.ipynb", RIGHT)
        notes = "Ben O'Neil could be ben-1 and ben-2"
        made.row(stranger, "Ben O'Neil", listed=False, notes=notes)
        for key, texts in told.items():
            texts.append(f"{stranger} could be {key}: it counts for nobody")
    for key, texts in told.items():
        made.student(key, "Ben O'Neil")
        made.row(key, "Ben O'Neil", None, None, notes="; ".join(texts))
    made.hand_in("strange_99_1_hw.ipynb", ALL[1])
    made.row("strange_canvas_99", "strange", ALL[1], listed=False, notes="strange is not in the roster")
    made.student("grace", "Grace Hopper", moodle="771")
    made.row("grace", "Grace Hopper", None, None)
    trick = "eve_95_9_x_771_assignsubmission_file_"
    made.hand_in(f"{trick}.ipynb", RIGHT)
    ways = "Canvas's of eve and Moodle's of eve_95_9_x"
    notes = f"{trick}: its name can be read in 2 ways ({ways}), so it is nobody's"
    made.row(trick, trick, listed=False, notes=notes)
    made.student("nobody", "Nemo")
    made.row("nobody", "Nemo", None, None)


def _resubmitted(made: SixtyClass) -> None:
    """Canvas numbers what comes again at one time; on Moodle the newest counts."""
    made.student("again-c", "Ag Ain", canvas="905")
    older = [made.hand_in(f"ainag_905_{5 - n}_hw{end}.ipynb", ALL[1]) for n, end in enumerate(("", "-2"))]
    made.hand_in("ainag_905_1_hw-10.ipynb", ALL[2])
    told = "; ".join(
        f"not graded: {label}: handed in before, by Canvas's number" for label in reversed(older)
    )
    made.row("again-c", "Ag Ain", ALL[2], notes=told)
    made.student("again-m", "Em Again", moodle="906")
    folder = "Em Again_906_assignsubmission_file_"
    late = ALL_TIMES[4]
    older = [made.hand_in(f"{folder}/{name}.ipynb", ALL[1], EARLY) for name in ("y", "z")]
    made.hand_in(f"{folder}/a.ipynb", RIGHT, late)
    told = "; ".join(f"not graded: {label}: older" for label in reversed(older))
    made.row("again-m", "Em Again", RIGHT, late, notes=told)


def _unread(made: SixtyClass) -> None:
    """No notebook, and an archive whose entries share their bytes."""
    nothing = dict.fromkeys(MOST, 0)
    made.student("junk", "Ju Nk", canvas="907")
    made.entries.append(("nkju_907_1_hw.ipynb", EARLY.clock, b"{"))
    told = "{label}: is not JSON, so it is not a notebook (.ipynb); save it from Jupyter again"
    made.row(
        "junk",
        "Ju Nk",
        Answers(points=nothing, status="unreadable", message=told),
        label="nkju_907_1_hw.ipynb",
    )
    made.student("bomb", "Bo Mb", canvas="908")
    made.entries.append(("mbbo_908_1_hw.zip", EARLY.clock, _shared_bytes()))
    told = "{label}: has entries that share their bytes, as zip bombs do"
    made.row(
        "bomb", "Bo Mb", Answers(points=nothing, status="unreadable", message=told), label="mbbo_908_1_hw.zip"
    )


def _shared_bytes() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.ipynb", b"{}")
        archive.writestr("b.ipynb", b"{}")
        archive.infolist()[1].header_offset = 0
    return stream.getvalue()


def _ruled(made: SixtyClass) -> None:
    """Extensions, times that the roster has, and points set by hand."""
    second_day, marked = ALL_TIMES[6], ALL_TIMES[8]
    for key, number, extension, when in (
        ("ext-days", "910", ("", "2", ""), replace(second_day, late="no", late_by="", percent=0)),
        ("ext-hours", "911", ("", "", "3"), replace(ALL_TIMES[4], late_by="1 h 31 min")),
        ("ext-time", "912", ("2026-10-25T02:30+01:00 Europe/Berlin", "", ""),
         replace(ALL_TIMES[4], late_by="1 h")),
        ("ext-mark", "913", ("", "1", ""),
         replace(marked, late="no", percent=0, rule_note=f"{MARKED}; it has an extension and loses nothing")),
    ):  # fmt: skip
        made.student(key, f"Ex {number}", canvas=number)
        made.extensions.append((key.upper(), *extension, "ill"))
        late = "_LATE" if when.marked else ""
        made.hand_in(f"x{late}_{number}_1_hw.ipynb", RIGHT, when)
        made.row(key, f"Ex {number}", RIGHT, when)
    made.student("told", "To Ld", canvas="914", submitted="2026-10-25T02:30")
    made.hand_in("ldto_LATE_914_1_hw.ipynb", RIGHT, EARLY)
    told = replace(ALL_TIMES[3], note=f"the roster says {TWICE}")
    made.row("told", "To Ld", RIGHT, told, submitted_told_by="roster")
    for key, number, answers, question, points, was in (
        ("raised", "915", ALL[2], "01.3", "1.25", 0),
        ("lowered", "916", RIGHT, "01.1", "2", 3),
    ):
        made.student(key, f"Ov {number}", canvas=number)
        made.overrides.append((key, "01_sample", question, points, 'seen, "twice"'))
        made.hand_in(f"ov_{number}_1_hw.ipynb", answers, second_day)
        by_hand = {question: Fraction(points)}
        notes = f"{question}: set by hand to {points}, fewer than the {was} that the grader gives now"
        made.row(key, f"Ov {number}", answers, second_day, set_by_hand=by_hand,
                 overrides=f"{question}: {was} -> {points} (seen, \"twice\")",
                 notes=notes if key == "lowered" else "")  # fmt: skip


def differences(grades: Path, made: SixtyClass) -> list[str]:
    """Where grades.csv is not the table that was computed by hand."""
    with (grades / "grades.csv").open(encoding="utf-8-sig", newline="") as stream:
        found = {row["student"]: row for row in csv.DictReader(stream)}
    wrong = [f"rows: {sorted(found.keys() ^ made.rows.keys())}"] if found.keys() != made.rows.keys() else []
    for student, row in made.rows.items():
        if student in found and found[student] != row:
            cells = {name for name in row if found[student].get(name) != row[name]}
            wrong += [
                f"{student}, {n}: {found[student].get(n)!r}, but true is {row[n]!r}" for n in sorted(cells)
            ]
    return wrong
