"""Rosters as instructors, spreadsheets and course platforms write them: nothing is dropped silently."""

from pathlib import Path

import pytest
from autograder.classroom.csv_files import TableError, read_table
from autograder.classroom.submissions import Class
from autograder.classroom.tables import typed_over
from class_cases import EXERCISES, answering, roster, tasks_of

GRADEBOOK = """Student,ID,SIS User ID,SIS Login ID,Section,Exercise 1 (881)
,,,,,Manual Posting
"    Points Possible",,,,,33
"Lovelace, Ada",1234,u1,ada,A,
"Hopper, Grace",1235,u2,eh,A and B,12
"Student, Test",9999,,x,A,
"""


def test_the_gradebook_of_canvas_is_a_roster(tmp_path: Path) -> None:
    students = roster(tmp_path, GRADEBOOK)
    assert list(students.students) == ["ada", "eh"]
    ada = students.students["ada"]
    assert (ada.name, ada.canvas_id, ada.student_id) == ("Lovelace, Ada", "1234", "u1")
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("lovelaceada_1234_98_exercise.ipynb", "whoever_1235_99_exercise.ipynb"):
        (folder / name).write_bytes(answering("01.1"))
    tasks = tasks_of(folder, roster=students)
    assert list(tasks) == ["ada", "eh"] and all(task.chosen for task in tasks.values())
    (tmp_path / "spool2").mkdir()
    found = Class(folder, EXERCISES, tmp_path / "spool2", students)
    found.tasks()
    assert found.said[:-1] == [
        "roster.csv: columns not read: 'Section', 'Exercise 1 (881)'",
        "roster.csv, line 2: it names nobody, and is not read as a student",
        "roster.csv, line 3: 'Points Possible' are points, and is not read as a student",
        "roster.csv, line 6: 'Student, Test' is Canvas's test student, and is not read as a student",
        "roster.csv: students are called by its column 'SIS Login ID'",
    ]


@pytest.mark.parametrize(
    "text, student",
    [
        ("First name,Last name,Email address\nAda,Lovelace,ada@x.org\n", ("ada@x.org", "Ada Lovelace", "")),
        (
            "Identifier,Full name,Email address,Grade\nParticipant 501,Ada Lovelace,ada@x.org,\n",
            ("ada@x.org", "Ada Lovelace", "501"),
        ),
        ("Last Name;First Name;Username;Student ID\nLovelace;Ada;ada;77\n", ("ada", "Ada Lovelace", "")),
        ("OrgDefinedId,Username,Last Name,First Name\n#77,ada,Lovelace,Ada\n", ("ada", "Ada Lovelace", "")),
        ("Name,SID,Email,Role\nAda Lovelace,77,ada@x.org,Student\n", ("77", "Ada Lovelace", "")),
        ("identifier,github_username,github_id,name\nada,lovelace,1,Ada L\n", ("ada", "Ada L", "")),
        ("Surname,Given Name\nLovelace,Ada\n", ("Ada Lovelace", "Ada Lovelace", "")),
    ],
)
def test_tables_of_other_platforms_are_rosters(text: str, student: tuple, tmp_path: Path) -> None:
    found = roster(tmp_path, text)
    (one,) = found.students.values()
    assert (one.key, one.name, one.moodle_id) == student
    assert any("students are called by its column" in said for said in found.said)


@pytest.mark.parametrize(
    "header", ["STUDENTS, Name ,Canvas-ID", "student,Names,canvas ids", "Student,Full Name,CanvasID"]
)
@pytest.mark.parametrize(
    "first",
    ["", "sep=,\n", "\ufeffsep=,\r\n", "SEP=,\n", '"sep=,"\n'],
    ids=["", "sep", "marked", "upper", "quoted"],
)
def test_titles_are_understood_however_they_are_written(header: str, first: str, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes(f"{first}{header}\nada,Ada,42\n".encode())
    found = roster(tmp_path, f"{first}{header}\nada,Ada,42\n")
    (one,) = found.students.values()
    assert (one.key, one.name, one.canvas_id, found.said) == ("ada", "Ada", "42", [])


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
def test_the_line_of_a_spreadsheet_says_what_parts_the_fields(separator: str, tmp_path: Path) -> None:
    name = "Lovelace, Ada; x" if separator in "|\t" else "Ada L"
    rows = [("student", "name"), ("ada", name), ("ADA", name)]
    text = "\n".join(separator.join(row) for row in rows)
    with pytest.raises(TableError, match=r"roster\.csv, line 4: the student 'ada' belongs to ada too"):
        roster(tmp_path, f"sep={separator}\n{text}")
    found = roster(tmp_path, f"sep={separator}\n{text.rpartition(chr(10))[0]}")
    assert found.students["ada"].name == name


def test_a_column_that_is_not_read_is_named_and_twice_is_refused(tmp_path: Path) -> None:
    assert roster(tmp_path, "student,emial\nada,x\n").said == ["roster.csv: columns not read: 'emial'"]
    assert roster(tmp_path, "student,name,full name\nada,x,y\n").said == [
        "roster.csv: columns not read: 'full name'"
    ]
    with pytest.raises(TableError, match="has the column 'Names' twice"):
        roster(tmp_path, "student,Names,name\nada,x,y\n")
    many = ",".join(f"c{number}" for number in range(30))
    (said,) = roster(tmp_path, f"student,{many}\nada\n").said
    assert said.endswith("'c9' and 20 more")


def test_a_student_of_any_name_stays(tmp_path: Path) -> None:
    """Outside of Canvas's own table nobody is taken for its test student."""
    found = roster(tmp_path, "student,name\nts,Test Student\np,Points Possibly\n")
    assert list(found.students) == ["ts", "p"] and found.said == []


ROLES = """Name,SID,Email,Role
Ada Lovelace,77,ada@x.org,Student
Grace Hopper,78,eh@x.org,Instructor
,79,ta@x.org,TA
Emmy Noether,80,emmy@x.org,
"""


def test_who_is_no_student_by_the_role_is_named_and_not_graded(tmp_path: Path) -> None:
    found = roster(tmp_path, ROLES)
    assert list(found.students) == ["77", "80"]
    assert found.said == [
        "roster.csv, line 3: 'Grace Hopper' has the role 'Instructor', and is not read as a student",
        "roster.csv, line 4: 'ta@x.org' has the role 'TA', and is not read as a student",
        "roster.csv: students are called by its column 'SID'",
    ]
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "Ada Lovelace.ipynb").write_bytes(answering("01.1"))
    assert list(tasks_of(tmp_path / "class", roster=found)) == ["77", "80"], "and no staff is missing"


@pytest.mark.parametrize(
    "header, role, staff",
    [
        ("student,roles", "STUDENTS", "Teaching Assistant"),
        ("student,Role", "StudentEnrollment", "TaEnrollment"),
        ("student,Course role", "Learner", "Student Assistant"),
    ],
)
def test_roles_are_understood_as_platforms_write_them(
    header: str, role: str, staff: str, tmp_path: Path
) -> None:
    found = roster(tmp_path, f"{header}\nada,{role}\neh,{staff}\n")
    assert list(found.students) == ["ada"]
    assert found.said == [f"roster.csv, line 3: 'eh' has the role {staff!r}, and is not read as a student"]


def test_roles_of_which_none_is_known_leave_everybody_a_student(tmp_path: Path) -> None:
    found = roster(tmp_path, "student,role\nada,Hörerin\neh,Leitung\n")
    assert list(found.students) == ["ada", "eh"]
    assert found.said == ["roster.csv: columns not read: 'role'"]


@pytest.mark.parametrize(
    "numbers",
    [
        ("1.0430E+16", "1.0430E+16"),
        ("1,043E+16", "1,043e+16"),
        ("1E+16", "10430000000123457"),
        ("10430000000123400", "10430000000123500"),
    ],
)
def test_numbers_that_a_spreadsheet_has_rounded_are_told_and_names_count(
    numbers: tuple[str, str], tmp_path: Path
) -> None:
    text = f"student;name;canvas_id\nada;Ada Lovelace;{numbers[0]}\neh;Grace Hopper;{numbers[1]}\n"
    found = roster(tmp_path, text)
    (said,) = found.said
    assert said.startswith("roster.csv: a spreadsheet has rounded the numbers of 'canvas_id' (")
    assert f"({numbers[0]!r} in line 2" in said and "names count: export the table again" in said
    (tmp_path / "class").mkdir()
    names = ["lovelaceada_10430000000123456_9_x.ipynb", "hoppergrace_10430000000123457_8_x.ipynb"]
    for name in names:
        (tmp_path / "class" / name).write_bytes(answering("01.1"))
    tasks = tasks_of(tmp_path / "class", roster=found)
    assert {key: task.chosen.file.label for key, task in tasks.items()} == dict(zip(["ada", "eh"], names))


def test_a_whole_number_that_is_written_as_a_decimal_is_that_number(tmp_path: Path) -> None:
    found = roster(tmp_path, 'student,canvas_id,moodle_id\nada,1234.0,"77,00"\neh,10430000000123457,5\n')
    ada, eh = found.students.values()
    assert (ada.canvas_id, ada.moodle_id, eh.canvas_id, found.said) == ("1234", "77", "10430000000123457", [])


def test_a_spreadsheet_that_has_rounded_what_students_are_called_by(tmp_path: Path) -> None:
    with pytest.raises(
        TableError, match=r"rounded the numbers of 'student' \('2.02E\+11' in line 2 and 1 more"
    ):
        roster(tmp_path, "student,name\n2.02E+11,Ada\n2.02E+11,Grace\n")
    found = roster(tmp_path, "Last Name,First Name,Student ID,Email\nL,Ada,2.02E+11,a@x\nH,G,2.02E+11,g@x\n")
    assert list(found.students) == ["a@x", "g@x"]
    assert [line.partition(" (")[0] for line in found.said] == [
        "roster.csv: a spreadsheet has rounded the numbers of 'Student ID'",
        "roster.csv: students are called by its column 'Email'",
    ]


def test_a_line_for_the_separator_is_understood_in_every_table(tmp_path: Path) -> None:
    path = tmp_path / "extensions.csv"
    path.write_text("sep=;\nStudents;DAYS\nada;2\n", encoding="utf-8")
    assert read_table(path, ("student",), ("days",)) == [
        ("extensions.csv, line 3", {"student": "ada", "days": "2"})
    ]
    written = '"student","01.1"\n"ada","3"\n'
    assert typed_over(written, "sep=;\nstudent;01.1\nada;4\n") == ["ada, 01.1: 4 for 3"]
