"""What Canvas, Moodle and Gradescope make of our tables, by the rules of their own importers.

Canvas and Moodle are free software, and the two readers below do what theirs do with a file
(`lib/gradebook_importer.rb` of Canvas, `grade/import/csv/classes/load_data.php` of Moodle). Gradescope's
format is described in its documentation of autograders.
"""

import csv
import json
import re
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from autograder.classroom.gradebook import Gradebook
from autograder.classroom.policy import Lateness
from autograder.classroom.reports import written
from autograder.classroom.roster import Student
from autograder.classroom.tables import write_tables
from autograder.judging.results import UNGRADED
from class_cases import assessment, result, task

ADA = Student("ada", "Lovelace, Ada", "ada@example.org", "4242")
EMMY = Student("emmy", "Emmy Noether", "emmy@example.org", "4243")
ZOE = Student("zoë", "=Zoë; 'Z' \"B\"", "zoe@example.org", "4244")
LATE = Lateness(True, timedelta(days=1), Fraction(1, 3))
NOT_ASSIGNMENTS = re.compile(r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")


def tables(tmp_path: Path) -> Path:
    """Three students in two exercises; what Emmy has in the second is not known."""
    made = [
        assessment(result("01.1", 4), of=replace(task("ada"), student=ADA), lateness=LATE),
        assessment(result("02.1", 3), of=replace(task("ada", "02_other"), student=ADA)),
        assessment(result("01.1", 2), of=replace(task("emmy"), student=EMMY)),
        assessment(result("02.1", 2), of=replace(task("emmy", "02_other"), student=EMMY), status=UNGRADED),
        assessment(result("01.1", 1), of=replace(task("zoë"), student=ZOE)),
        assessment(result("02.1", 0), of=replace(task("zoë", "02_other"), student=ZOE)),
    ]
    with Gradebook(tmp_path / "grades") as gradebook:
        write_tables(gradebook, made, [])
    return tmp_path / "grades"


def canvas_number(cell: str) -> str:
    """A comma may stand for the decimal point: the last of points and commas is one."""
    if not re.fullmatch(r"-?[0-9.,]+%?", cell):
        return cell
    *whole, last = re.split("[,.]", cell)
    return f"{''.join(whole)}.{last}" if whole else last


def imported_by_canvas(text: str, students: set[int], there: dict[str, int]) -> tuple[dict, dict]:
    """Grades by student's and assignment's name, and the most points; ``there`` are the assignments."""
    lines = [line for line in text.splitlines() if not re.fullmatch("[;, ]+", line)]
    counts = {
        mark: {len(next(csv.reader([line], delimiter=mark))) for line in lines[:3]} for mark in (";", ",")
    }
    widths = {mark: found.pop() if len(found) == 1 else 0 for mark, found in counts.items()}
    rows = list(csv.reader(lines, delimiter=";" if widths[";"] > widths[","] else ","))
    head = rows[0]
    assert len(head) > 3 and "Student" in head[0] and "ID" in head[1], "Invalid header row"
    assert re.search(r"SIS\s+User\s+ID", head[2]) and re.search(r"SIS\s+Login\s+ID", head[3])
    assert "Section" in head[4], "Invalid header row"
    columns = {name: at for at, name in enumerate(head) if at > 4 and not NOT_ASSIGNMENTS.search(name)}
    most: dict[str, float] = {}
    grades: dict[int, dict[str, str]] = {}
    for row in rows[1:]:
        cells = [canvas_number(cell) for cell in row]
        if "Points Possible" in cells[0]:
            most = {name: float(cells[at]) for name, at in columns.items()}
            continue
        number = int(cells[1])
        assert number in students, "a student whom the course does not know would be matched by name"
        grades[number] = {}
        for name, at in columns.items():
            numbered = re.fullmatch(r"(.+) \((\d+)\)", name)
            assignment = int(numbered[2]) if numbered else there.get(name, -1)
            grades[number][f"{assignment}"] = cells[at].strip()
    return grades, most


def imported_by_moodle(
    text: str, mapping: dict[str, str], addresses: set[str]
) -> dict[str, dict[str, float | None]]:
    """Grades by address and item; one address that no user has, or one bad number, ends the whole import."""
    rows = list(csv.reader(text.removeprefix("\ufeff").splitlines()))
    grades = {}
    for row in rows[1:]:
        assert len(row) == len(rows[0]) > 1
        user, items = "", {}
        for head, cell in zip(rows[0], row):
            target, value = mapping.get(head.strip(), ""), cell.strip()
            if target == "useremail":
                assert value in addresses, "user not found: Moodle ends the whole import"
                user = value
            elif target:
                items[target] = None if value in ("", "-") else float(value)
                assert items[target] is None or items[target] <= 100, "Moodle takes no grade above 100"
        assert user, "a row without a user ends the whole import"
        grades[user] = items
    return grades


@pytest.mark.parametrize("title", ["01_sample", "Exercise 1 (77)"])
def test_canvas_finds_the_students_and_fills_an_assignment_by_its_title_or_number(
    tmp_path: Path, title: str
) -> None:
    text = (
        (tables(tmp_path) / "canvas.csv").read_text(encoding="utf-8").replace('"01_sample"', f'"{title}"', 1)
    )
    grades, most = imported_by_canvas(text, {4242, 4243, 4244}, {"01_sample": 77})
    assert most == {title: 4, "02_other": 4}
    assert grades[4242] == {"77": "2.666667", "-1": "3"}
    assert grades[4244] == {"77": "1", "-1": "0"}


def test_no_platform_loses_a_grade_to_a_blank_cell(tmp_path: Path) -> None:
    folder = tables(tmp_path)
    for name in ("canvas.csv", "moodle.csv"):
        rows = list(csv.DictReader((folder / name).read_text(encoding="utf-8").splitlines()))
        assert all(row["01_sample"] and row["02_other"] for row in rows)
        assert not any("Emmy" in text for row in rows for text in row.values())
    assert "emmy" in (folder / "grades.csv").read_text(encoding="utf-8")


def test_moodle_finds_the_students_by_their_addresses(tmp_path: Path) -> None:
    text = (tables(tmp_path) / "moodle.csv").read_text(encoding="utf-8")
    chosen = {"Email address": "useremail", "01_sample": "item 5", "02_other": "new"}
    everybody = {student.email for student in (ADA, EMMY, ZOE)}
    assert imported_by_moodle(text, chosen, everybody) == {
        "ada@example.org": {"item 5": pytest.approx(8 / 3, abs=1e-5), "new": 3.0},
        "zoe@example.org": {"item 5": 1.0, "new": 0.0},
    }


OF_RESULTS = {
    "score": float, "execution_time": float, "output": str, "output_format": str, "test_output_format": str,
    "test_name_format": str, "visibility": str, "stdout_visibility": str, "extra_data": dict, "tests": list,
    "leaderboard": list,
}  # fmt: skip
OF_A_TEST = {
    "score": float, "max_score": float, "status": str, "name": str, "name_format": str, "number": str,
    "output": str, "output_format": str, "tags": list, "visibility": str, "extra_data": dict,
}  # fmt: skip
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}


def fits(found: dict, fields: dict[str, type]) -> None:
    for name, value in found.items():
        assert name in fields, f"Gradescope knows no field {name!r}"
        wanted = (int, float) if fields[name] is float else fields[name]
        assert isinstance(value, wanted) and not isinstance(value, bool), f"{name}: {value!r}"
    assert (
        found.get("visibility", "visible") in VISIBILITIES and found.get("output_format", "text") in FORMATS
    )
    assert found.get("status", "passed") in {"passed", "failed"}


@pytest.mark.parametrize("status", ["ok", "timeout", "missing", UNGRADED])
def test_gradescope_gets_fields_that_it_knows_with_values_that_it_knows(status: str) -> None:
    made = assessment(result("01.1", 4), result("01.2", 1), lateness=LATE, status=status)
    results = json.loads(written(made)[".results.json"])
    fits(results, OF_RESULTS)
    for test in results["tests"]:
        fits(test, OF_A_TEST)
        assert test["score"] <= test["max_score"]
    assert "score" in results or all("score" in test for test in results["tests"]), (
        "no score for the submission"
    )
