"""Names of other systems and for them: what Windows forbids, and what others write into archives."""

import io
import os
import subprocess
import sys
import unicodedata
import zipfile
from argparse import Namespace
from itertools import combinations
from pathlib import Path, PureWindowsPath

import pytest
from autograder import __main__ as command_line
from autograder.classroom.gradebook import folder_name
from autograder.classroom.submissions import Class
from class_cases import EXERCISES, answering, cells, roster, tasks_of
from grader_cases import SAMPLE
from hypothesis import given
from hypothesis import strategies as st

ANSWER = answering("01.1")
PORTS = {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
DEVICES = {"con", "prn", "aux", "nul"} | PORTS
ODD = [
    "con",
    "Aux",
    "nul.txt",
    "con .x",
    "con..",
    "COM1",
    "com¹",
    "lPt³.a",
    "aux.a/b",
    "prn?",
    "ada.",
    "ada ",
]
ODD += [" ada", "C:ada", "C:\\ada", "\\\\host\\share", "..\\ada", "ada\x00", "ada:stream", "conny", ""]


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def assert_is_a_folder_on_windows(name: str) -> None:
    path = PureWindowsPath(name)
    assert (path.parts, path.drive) == ((name,), ""), "it is one folder below the gradebook"
    assert name == name.rstrip(". "), "Windows drops dots and blanks at the end"
    assert not set(name) & set('<>:"/\\|?*') and name.isprintable()
    assert name.partition(".")[0].rstrip().casefold() not in DEVICES, "Windows opens a device"


@pytest.mark.parametrize("student", ODD)
def test_windows_can_hold_the_folder_of_every_student(student: str) -> None:
    assert_is_a_folder_on_windows(folder_name(student, ODD))


@given(st.text(max_size=12))
def test_windows_can_hold_the_folder_of_any_text(student: str) -> None:
    assert_is_a_folder_on_windows(folder_name(student))


def test_no_two_students_have_one_folder_where_case_and_accents_do_not_count() -> None:
    """As on the disks of Windows and macOS."""
    spellings = [unicodedata.normalize(form, "Zoë Çelik") for form in ("NFC", "NFD")]
    students = [*ODD, "ADA", "ada", *spellings, "ZOË ÇELIK", "straße", "STRASSE", "con", "CON", "_con"]
    made = {student: folder_name(student, students) for student in students}
    for one, other in combinations(made.values(), 2):
        alike = [unicodedata.normalize("NFC", name.casefold()) for name in (one, other)]
        assert alike[0] != alike[1]


@pytest.mark.parametrize("code", ["utf-8", "cp437"])
def test_a_name_in_an_archive_is_read_as_its_program_wrote_it(code: str, tmp_path: Path) -> None:
    """macOS writes UTF-8 with accents apart, older Windows cp437; neither sets the flag that tells which."""
    written = unicodedata.normalize("NFD" if code == "utf-8" else "NFC", "Jürgen").encode(code)
    plain = b"x" * len(written)
    inner = zipped({f"{plain.decode()}.ipynb": ANSWER}).replace(plain, written)
    files = {f"{plain.decode()}.ipynb": ANSWER, "bo.zip": inner}
    (tmp_path / "class.zip").write_bytes(zipped(files).replace(plain, written))
    tasks = tasks_of(tmp_path / "class.zip")
    assert set(tasks) == {"Jürgen", "bo"}
    inside = unicodedata.normalize("NFC", tasks["bo"].chosen.file.label)
    assert inside == "bo.zip/Jürgen.ipynb"


def test_a_folder_whose_name_ends_with_a_backslash_is_no_file(tmp_path: Path) -> None:
    files = {"class\\": b"", "class\\al\\": b"", "class\\al\\x.ipynb": ANSWER, "class\\eh\\": b""}
    (tmp_path / "class.zip").write_bytes(zipped(files))
    (tmp_path / "spool").mkdir()
    found = Class(tmp_path / "class.zip", EXERCISES, tmp_path / "spool", roster(tmp_path))
    tasks = {task.student.key: task for task in found.tasks() if task.exercise == "01_sample"}
    assert tasks["al"].chosen.problem == ""
    assert tasks["eh"].chosen is None, "an empty folder hands nothing in"
    assert not any("not read" in said for said in found.said)


@pytest.mark.parametrize("code", ["cp1252", "ascii", "cp437"])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_is_told_is_utf_8_whatever_the_console(
    code: str, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = io.TextIOWrapper(io.BytesIO(), encoding=code, errors="replace", newline="\n")

    def tell(arguments: Namespace, session: object) -> int:
        print("Ελλάδα ☃ é, half a letter: \ud800", file=getattr(sys, stream))
        return 0

    class Parser:
        def parse_args(self, words: list[str]) -> Namespace:
            return Namespace(run=tell)

    monkeypatch.setattr(sys, stream, console)
    monkeypatch.setattr(command_line, "parser", Parser)
    assert command_line.main([]) == 0
    console.flush()
    assert console.buffer.getvalue().decode() == "Ελλάδα ☃ é, half a letter: \\ud800\n"


@pytest.mark.slow
def test_a_class_is_graded_the_same_whatever_the_console(tmp_path: Path) -> None:
    """Also where the console would write what it does not have as a question mark."""
    names = ["Zoë Ångström", "Ελένη ☃"]
    (tmp_path / "class" / "Übung ☃").mkdir(parents=True)
    answer = cells("# question 01.2\nprint('é☃')\nn_scores = 15")
    for name in [*names, "Ядвига"]:
        (tmp_path / "class" / "Übung ☃" / f"{name}.ipynb").write_bytes(answer)
    (tmp_path / "roster.csv").write_text("student,größe\n" + "\n".join(names), encoding="utf-8")
    words = [str(SAMPLE), "class", "-o", "grades", "--roster", "roster.csv"]
    ended = subprocess.run(
        [sys.executable, "-m", "autograder", "grade", *words, "--no-sandbox", "-j", "1", "--seed", "3"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "cp1252:replace"},
        capture_output=True,
        check=False,
    )
    told = (ended.stdout + ended.stderr).decode("utf-8")
    assert ended.returncode == 0, told
    assert "?" not in told and "\\u" not in told
    assert "columns not read: 'größe'" in told and "'Übung ☃' is nobody's" in told
    table = (tmp_path / "grades" / "grades.csv").read_text(encoding="utf-8")
    assert all(f'"{name}"' in table for name in names) and "Ядвига is not in the roster" in table
