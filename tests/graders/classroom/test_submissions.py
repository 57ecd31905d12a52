"""Which notebook of a folder or an archive is graded for whom, and what a hostile one cannot do."""

import io
import os
import stat
import zipfile
from pathlib import Path

import pytest
from autograder.classroom import archives
from autograder.classroom.csv_files import TableError
from autograder.classroom.roster import Owner, Roster
from autograder.classroom.submissions import Class
from class_cases import EXERCISES, answering, cells, roster, tasks_of

ANSWER = answering("01.1")


def filled(root: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def zipped(files: dict[str, bytes], **settings: object) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", **settings) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (2026, 10, 5, 12, 0, 0))
            entry.compress_type = archive.compression
            archive.writestr(entry, content)
    return stream.getvalue()


def linked(name: str, target: str) -> bytes:
    """An archive with a good notebook and a symbolic link."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        entry = zipfile.ZipInfo(name)
        entry.create_system = 3
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, target)
    return stream.getvalue()


def graded(tasks: dict) -> dict[str, str | None]:
    """By student, the label of the notebook that is graded; None where nothing was handed in."""
    return {student: task.chosen and task.chosen.file.label for student, task in tasks.items()}


LAYOUTS = {
    "flat": {"ada.ipynb": ANSWER, "bob.ipynb": ANSWER},
    "a folder each": {"ada/homework.ipynb": ANSWER, "bob/deep/er/Exercise.IPYNB": ANSWER},
    "a zip each": {"ada.zip": zipped({"x.ipynb": ANSWER}), "bob/work.zip": zipped({"y/z.ipynb": ANSWER})},
    "Moodle's folders": {
        "ada_77_assignsubmission_file_/exercise.ipynb": ANSWER,
        "bob_78_assignsubmission_file_/exercise.ipynb": ANSWER,
    },
    "Canvas' files": {"ada_4242_900_exercise.ipynb": ANSWER, "bob_LATE_4243_901_exercise-1.ipynb": ANSWER},
    "the exercise in the name": {"ada_01_sample.ipynb": ANSWER, "bob-01_sample.ipynb": ANSWER},
}


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_each_student_a_notebook(layout: str, packed: bool, tmp_path: Path) -> None:
    root = filled(tmp_path / "class", LAYOUTS[layout])
    if packed:
        root = tmp_path / "class.zip"
        root.write_bytes(zipped(LAYOUTS[layout]))
    tasks = tasks_of(root)
    assert list(tasks) == ["ada", "bob"]
    for task in tasks.values():
        assert task.chosen.problem == ""
        assert task.chosen.file.path.read_bytes() == ANSWER


def test_one_notebook_is_a_class_of_one(tmp_path: Path) -> None:
    path = filled(tmp_path, {"ada.ipynb": ANSWER}) / "ada.ipynb"
    assert graded(tasks_of(path)) == {"ada": "ada.ipynb"}


def test_a_folder_around_a_zipped_class_is_no_student(tmp_path: Path) -> None:
    root = tmp_path / "class.zip"
    root.write_bytes(
        zipped({"hw1/ada.ipynb": ANSWER, "hw1/bob.ipynb": ANSWER, "__MACOSX/hw1/._ada.ipynb": b""})
    )
    assert list(tasks_of(root)) == ["ada", "bob"]
    root.write_bytes(zipped({"ada/first.ipynb": ANSWER}))
    assert list(tasks_of(root)) == ["ada"]


@pytest.mark.parametrize(
    "name, student",
    [
        ("lovelaceada_4242_900_exercise.ipynb", "al"),
        ("nameknowntonobody_4242_900_exercise.ipynb", "al"),
        ("lovelaceada_5_900_exercise.ipynb", "al"),
        ("Grace Hopper_771_assignsubmission_file_/exercise.ipynb", "eh"),
        ("Hopper, Grace/exercise.ipynb", "eh"),
        ("GRACE.ipynb", "eh"),
        ("grace@example.org.ipynb", "eh"),
        ("eh_homework 3.ipynb", "eh"),
        ("Ada_Lovelace-final(2).ipynb", "al"),
        ("Zoe Angstrom.ipynb", "zt"),
        ("AL.zip", "al"),
    ],
)
def test_the_roster_tells_whose_a_file_is(name: str, student: str, tmp_path: Path) -> None:
    content = zipped({"x.ipynb": ANSWER}) if name.endswith(".zip") else ANSWER
    tasks = tasks_of(filled(tmp_path / "class", {name: content}), roster=roster(tmp_path))
    assert {key for key, label in graded(tasks).items() if label} == {student}
    assert list(tasks) == ["al", "eh", "zt"]


@pytest.mark.parametrize("name", ["al smith.ipynb", "Ada Byron.ipynb", "Lovelace.ipynb", "hopper_x.ipynb"])
def test_a_name_that_is_only_like_one_of_the_roster_is_nobodys(name: str, tmp_path: Path) -> None:
    tasks = tasks_of(filled(tmp_path / "class", {name: ANSWER}), roster=roster(tmp_path))
    stranger = Path(name).stem
    assert graded(tasks) == {"al": None, "eh": None, "zt": None, stranger: name}
    assert tasks[stranger].notes == (f"{stranger} is not in the roster",)


def test_a_name_of_two_students_is_given_to_neither(tmp_path: Path) -> None:
    text = "student,name\na1,Ada Lovelace\na2,Ada Lovelace\n"
    tasks = tasks_of(
        filled(tmp_path / "class", {"Ada Lovelace.ipynb": ANSWER}), roster=roster(tmp_path, text)
    )
    assert graded(tasks) == {"a1": None, "a2": None, "Ada Lovelace": "Ada Lovelace.ipynb"}
    assert tasks["Ada Lovelace"].notes == ("Ada Lovelace could be a1 and a2",)


def test_namesakes_without_a_roster_stay_two_students(tmp_path: Path) -> None:
    names = {f"Ada L_{number}_assignsubmission_file_/x.ipynb": ANSWER for number in (7, 8)}
    assert list(tasks_of(filled(tmp_path / "class", names))) == ["Ada L_7", "Ada L_8"]


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "is empty"),
        ("name,email\na,b\n", "has no column 'student'"),
        ("students,name\na,b\n", "did you mean 'students'?"),
        ("student\n", "names no student"),
        ("student,name\n,Ada\n", "line 2: the column 'student' is empty"),
        ("student\nada\nADA\n", "line 3: the student 'ada' belongs to ada too"),
        ("student,canvas_id\nada,1\nbob,1\n", "line 3: the canvas_id '1' belongs to ada too"),
        ("student,submitted\nada,yesterday\n", "it should look like 2026-10-05T23:59+02:00"),
        ('student\n"ada\n', "line 2"),
    ],
)
def test_a_roster_that_cannot_be_used_is_refused_with_its_line(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"roster\.csv") as caught:
        roster(tmp_path, text)
    assert told in str(caught.value)


def test_a_roster_from_a_spreadsheet_is_read(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes("\ufeffStudent;Name\r\nal;Ada\r\n\r\n".encode())
    assert Roster.read(tmp_path / "roster.csv").students["al"].name == "Ada"


def test_of_several_notebooks_the_newest_that_can_be_read_is_graded(tmp_path: Path) -> None:
    files = {"ada/a.ipynb": ANSWER, "ada/b.ipynb": ANSWER, "ada/c.ipynb": b"{", "ada/essay.pdf": b"%PDF"}
    root = filled(tmp_path / "class", files)
    for name, time in {"a": 2_000_000_000, "b": 1_000_000_000, "c": 2_100_000_000}.items():
        os.utime(root / "ada" / f"{name}.ipynb", (time, time))
    task = tasks_of(root)["ada"]
    assert task.chosen.file.label == "ada/a.ipynb"
    names = sorted(other.partition(":")[0] for other in task.others)
    assert names == ["ada/b.ipynb", "ada/c.ipynb"]
    assert "ada/b.ipynb: older" in task.others


def test_a_newer_file_that_cannot_be_read_does_not_hide_a_notebook(tmp_path: Path) -> None:
    root = filled(tmp_path / "class", {"ada/old.ipynb": cells("x = 1"), "ada/z.ipynb": b"{"})
    os.utime(root / "ada" / "old.ipynb", (1_000_000_000, 1_000_000_000))
    task = tasks_of(root)["ada"]
    assert task.chosen.file.label == "ada/old.ipynb"
    assert "is not JSON" in task.others[0]


def test_canvas_numbers_what_is_handed_in_again(tmp_path: Path) -> None:
    names = ["ada_1_9_exercise.ipynb", "ada_1_8_exercise-2.ipynb", "ada_1_7_exercise-10.ipynb"]
    root = tmp_path / "class.zip"
    root.write_bytes(zipped(dict.fromkeys(names, ANSWER)))
    assert graded(tasks_of(root)) == {"ada": "ada_1_7_exercise-10.ipynb"}


def test_marks_tell_which_exercise_a_notebook_answers(tmp_path: Path) -> None:
    files = {
        "ada/x.ipynb": answering("02.1"),
        "ada/y.ipynb": answering("01.2"),
        "bob/both.ipynb": answering("01.1", "02.1"),
        "cy/02_other/homework.ipynb": cells("x = 1"),
        "dot/plain.ipynb": cells("x = 1"),
        "eve/z.ipynb": answering("09.1"),
    }
    root = filled(tmp_path / "class", files)
    (tmp_path / "spool").mkdir()
    tasks = Class(root, EXERCISES, tmp_path / "spool").tasks()
    found = {(t.student.key, t.exercise): t.chosen and t.chosen.file.label for t in tasks}
    assert found == {
        ("ada", "01_sample"): "ada/y.ipynb",
        ("ada", "02_other"): "ada/x.ipynb",
        ("bob", "01_sample"): "bob/both.ipynb",
        ("bob", "02_other"): "bob/both.ipynb",
        ("cy", "01_sample"): None,
        ("cy", "02_other"): "cy/02_other/homework.ipynb",
        ("dot", "01_sample"): "dot/plain.ipynb",
        ("dot", "02_other"): "dot/plain.ipynb",
        ("eve", "01_sample"): None,
        ("eve", "02_other"): None,
    }
    assert tasks[-1].notes == ("eve/z.ipynb answers 09.1",)


def bomb() -> bytes:
    return zipped({"x.ipynb": bytes(archives.MAX_NOTEBOOK + 1)}, compression=zipfile.ZIP_DEFLATED)


def nested(depth: int) -> bytes:
    content = zipped({"x.ipynb": ANSWER})
    for _ in range(depth):
        content = zipped({"inner.zip": content})
    return content


def encrypted() -> bytes:
    content = bytearray(zipped({"x.ipynb": ANSWER}))
    content[6] |= 1
    content[content.rindex(b"PK\1\2") + 8] |= 1
    return bytes(content)


def damaged() -> bytes:
    content = bytearray(zipped({"x.ipynb": ANSWER}))
    content[content.index(ANSWER) + 3] ^= 255
    return bytes(content)


HOSTILE = {
    "zip slip": (zipped({"../../../evil.ipynb": ANSWER}), "outside of its folder"),
    "an absolute path": (zipped({"/tmp/evil.ipynb": ANSWER}), "outside of its folder"),
    "a Windows path": (zipped({"C:\\evil.ipynb": ANSWER}), "outside of its folder"),
    "a symbolic link": (linked("evil.ipynb", "/etc/passwd"), "symbolic link"),
    "a bomb": (bomb(), "is larger than 50 MB"),
    "many notebooks": (zipped({f"{i}.ipynb": b"" for i in range(101)}), "more than 100 notebooks"),
    "many entries": (zipped({f"{i:0200d}": b"" for i in range(18_000)}), "more entries than"),
    "archives in archives": (nested(4), "more than 3 deep"),
    "an encrypted entry": (encrypted(), "is encrypted"),
    "a damaged entry": (damaged(), "cannot be unpacked"),
    "another compression": (zipped({"x.ipynb": ANSWER}, compression=zipfile.ZIP_LZMA), "seldom use"),
    "half an archive": (zipped({"x.ipynb": ANSWER})[:60], "is not a zip archive"),
    "no archive": (b"MZ junk", "is not a zip archive"),
    "nothing in it": (zipped({"essay.pdf": b""}), "an archive without a notebook"),
    "an empty file": (b"", "is not a zip archive"),
}


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_unreadable_and_costs_nobody_else(
    case: str, packed: bool, tmp_path: Path
) -> None:
    content, told = HOSTILE[case]
    files = {"ada.ipynb": ANSWER, "eve/work.zip": content}
    root = filled(tmp_path / "a" / "b" / "class", files)
    if packed:
        root = root.parent / "class.zip"
        root.write_bytes(zipped(files))
    before = {path for path in tmp_path.rglob("*")} | {root.parent / "spool"}
    tasks = tasks_of(root)
    assert told in tasks["eve"].chosen.problem
    assert tasks["ada"].chosen.file.path.read_bytes() == ANSWER
    written = {path for path in tmp_path.rglob("*")} - before
    assert {path.parent for path in written} <= {root.parent / "spool"}
    assert len(written) == packed, "only Ada's notebook is unpacked"
    assert not Path("/tmp/evil.ipynb").exists()


def test_good_notebooks_beside_a_bad_entry_count(tmp_path: Path) -> None:
    content = zipped({"../evil.ipynb": ANSWER, "good.ipynb": ANSWER})
    task = tasks_of(filled(tmp_path / "class", {"eve.zip": content}))["eve"]
    assert (task.chosen.file.label, task.chosen.problem) == ("eve.zip/good.ipynb", "")
    assert "outside of its folder" in task.others[0]


def test_an_archive_cannot_hand_in_for_somebody_else(tmp_path: Path) -> None:
    content = zipped({"ada/homework.ipynb": answering("01.2"), "ada.ipynb": answering("01.2")})
    root = filled(tmp_path / "class", {"ada.ipynb": ANSWER, "eve/x.zip": content})
    tasks = tasks_of(root)
    assert tasks["ada"].others == ()
    assert tasks["ada"].chosen.file.label == "ada.ipynb"


@pytest.mark.skipif(os.name == "nt", reason="making links and pipes needs rights there")
def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    filled(secret, {"x.ipynb": ANSWER})
    root = filled(tmp_path / "class", {"ada.ipynb": ANSWER})
    (root / "eve.ipynb").symlink_to(secret / "x.ipynb")
    (root / "mallory").symlink_to(secret)
    (root / "trent").mkdir()
    os.mkfifo(root / "trent" / "x.ipynb")
    tasks = tasks_of(root)
    assert {s: t.chosen.problem.partition(": ")[2] for s, t in tasks.items()} == {
        "ada": "",
        "eve": "is a symbolic link, which is not followed",
        "mallory": "is a symbolic link, which is not followed",
        "trent": "is not a regular file",
    }


def test_a_folder_nested_without_end_is_given_up(tmp_path: Path) -> None:
    deep = "/".join(["d"] * 40)
    tasks = tasks_of(filled(tmp_path / "class", {f"eve/{deep}/x.ipynb": ANSWER, "ada.ipynb": ANSWER}))
    assert "is nested too deep" in tasks["eve"].chosen.problem
    assert tasks["ada"].chosen.problem == ""


def test_a_class_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(b"PK junk")
    with pytest.raises(TableError, match=r"class\.zip: cannot be read"):
        tasks_of(tmp_path / "class.zip")


@pytest.mark.parametrize(
    "name, told",
    [
        ("lovelaceada_LATE_12345_678901_exercise-1.ipynb", Owner("lovelaceada", "12345", "", True)),
        ("lovelaceada_12345_678901_exercise.ipynb", Owner("lovelaceada", "12345")),
        ("First Last_1234567_assignsubmission_file_", Owner("First Last", "", "1234567")),
        ("al_01", Owner("al_01")),
    ],
)
def test_names_of_course_platforms_are_taken_apart(name: str, told: Owner) -> None:
    found = Owner.of(name)
    assert (found.name, found.canvas_id, found.moodle_id, found.marked_late) == (
        told.name,
        told.canvas_id,
        told.moodle_id,
        told.marked_late,
    )
