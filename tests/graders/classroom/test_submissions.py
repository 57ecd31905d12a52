"""Which notebook of a folder or an archive is graded for whom, and what a hostile one cannot do."""

import errno
import io
import itertools
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from autograder.classroom import submissions
from autograder.classroom.csv_files import TableError
from autograder.classroom.roster import Roster
from autograder.classroom.submissions import Class
from autograder.classroom.unpacking import Budget
from autograder.judging.notebook import MAX_NOTEBOOK
from class_cases import EXERCISES, answering, cells, roster, tasks_of

ANSWER = answering("01.1")
FAILURES = [
    OSError(number, os.strerror(number)) for number in (errno.ENOSPC, errno.EMFILE, errno.EIO, errno.ENOMEM)
]


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
    numbers = {"Moodle's folders": ("_77", "_78"), "Canvas' files": ("_4242", "_4243")}
    ada, bob = numbers.get(layout, ("", ""))
    assert list(tasks) == [f"ada{ada}", f"bob{bob}"]
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
        ("color,size\na,b\n", "has no column 'student'"),
        ("studnt,size\na,b\n", "did you mean 'studnt'?"),
        ("student\n", "names no student"),
        ("student,name\n,Ada\n", "line 2: the column 'student' is empty"),
        ("student\nada\nADA\n", "line 3: the student 'ada' belongs to ada too"),
        ("student,canvas_id\nada,1\nbob,1\n", "line 3: the canvas_id '1' belongs to ada too"),
        ("student,submitted\nada,yesterday\n", "such as 2026-10-05T23:59+02:00"),
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
    assert graded(tasks_of(root)) == {"ada_1": "ada_1_7_exercise-10.ipynb"}


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
    return zipped({"x.ipynb": bytes(MAX_NOTEBOOK + 1)}, compression=zipfile.ZIP_DEFLATED)


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


def sharing(entries: int) -> bytes:
    """An archive whose entries all have the same bytes."""
    content = zipped({"x.ipynb": bytes(1000)}, compression=zipfile.ZIP_DEFLATED)
    start, end = content.index(b"PK\1\2"), content.rindex(b"PK\5\6")
    listing = content[start:end] * entries
    numbers = (0, 0, entries, entries, len(listing), start, 0)
    return content[:start] + listing + struct.pack("<4s4H2LH", b"PK\5\6", *numbers)


def quoting() -> bytes:
    """An archive whose first entry's bytes hold the second entry, header and all."""
    content = zipped({"x.ipynb": ANSWER})
    inner = content[: content.index(b"PK\1\2")]
    outer = bytearray(zipped({"a.ipynb": inner, "b.ipynb": ANSWER}))
    second = outer.rindex(b"PK\1\2")
    outer[second + 42 : second + 46] = (37).to_bytes(4, "little")
    return bytes(outer)


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
    "one header for all": (sharing(50), "entries that share their bytes"),
    "an entry within another": (quoting(), "entries that share their bytes"),
    "many archives": (zipped({f"{i}.zip": zipped({}) for i in range(20)}), "more than 20 archives"),
    "a name without end": (zipped({f"{'é' * 600}.ipynb": ANSWER}), "a name of more than 1000 bytes"),
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


def test_everything_of_one_submission_has_one_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three archives that are each within it are together beyond it; a classmate has his own."""
    monkeypatch.setattr(submissions, "Budget", lambda: Budget(unpacked=5000))
    most = zipped({"x.ipynb": ANSWER + b" " * 2000, "y.zip": zipped({"z.ipynb": b"[" * 300})})
    files = {**{f"eve/{i}.zip": most for i in range(3)}, "ada/1.zip": most}
    tasks = tasks_of(filled(tmp_path / "class", files))
    assert tasks["ada"].chosen.problem == ""
    assert tasks["eve"].chosen.file.label == "eve/0.zip/x.ipynb"
    refused = [other for other in tasks["eve"].others if "unpacks to more than" in other]
    assert len(refused) == 2


@pytest.mark.parametrize(
    "budget, told",
    [
        (Budget(notebooks=1), "holds more than 1 notebooks"),
        (Budget(entries=3), "lists more entries than a submission has"),
        (Budget(listing=200), "lists more entries than a submission has"),
        (Budget(seconds=3.0, clock=itertools.count().__next__), "takes more than 3 seconds to unpack"),
    ],
)
def test_each_kind_of_use_has_its_end(
    budget: Budget, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "Budget", lambda: budget)
    content = zipped({"a.ipynb": ANSWER, "b.zip": zipped({"c.ipynb": ANSWER}), "d.txt": b"", "e.txt": b""})
    task = tasks_of(filled(tmp_path / "class", {"eve.zip": content}))["eve"]
    assert told in task.chosen.problem


def test_a_notebook_is_not_lost_to_an_archive_beside_it(tmp_path: Path) -> None:
    task = tasks_of(filled(tmp_path / "class", {"ada/a.zip": bomb(), "ada/x.ipynb": ANSWER}))["ada"]
    assert task.chosen.file.label == "ada/x.ipynb" and task.chosen.problem == ""


def test_only_what_is_graded_stays_unpacked(tmp_path: Path) -> None:
    content = zipped({f"{number}.ipynb": ANSWER for number in range(9)})
    tasks = tasks_of(filled(tmp_path / "class", {"ada.zip": content, "bob.zip": content}))
    left = {path for path in (tmp_path / "spool").iterdir()}
    assert left == {task.chosen.file.path for task in tasks.values()}


@pytest.mark.parametrize("failure", [*FAILURES, MemoryError()], ids=str)
def test_what_the_grader_cannot_read_is_its_own_trouble(
    failure: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = filled(tmp_path / "class", {"ada.ipynb": ANSWER, "bob/a.ipynb": ANSWER, "bob/b.ipynb": b"{"})

    def fail(path: Path) -> bytes:
        if path.name == "b.ipynb":
            raise failure
        return path.read_bytes()

    monkeypatch.setattr(submissions, "notebook_bytes", fail)
    tasks = tasks_of(root)
    assert tasks["ada"].chosen.problem == tasks["ada"].trouble == ""
    assert tasks["bob"].chosen is None, "which of his notebooks counts is not known"
    assert tasks["bob"].trouble.startswith("bob/b.ipynb: cannot be read")


@pytest.mark.parametrize("failure", [*FAILURES, MemoryError()], ids=str)
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_what_the_grader_cannot_unpack_is_its_own_trouble(
    failure: Exception, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"ada.ipynb": ANSWER, "bob.zip": zipped({"x.ipynb": ANSWER})}
    root = filled(tmp_path / "class", files)
    if packed:
        root = tmp_path / "class.zip"
        root.write_bytes(zipped(files))
    opened = Path.open

    def fail(path: Path, mode: str = "r", *more: object):
        if mode == "wb" and path.name == f"{2 * packed:06d}":  # the notebook in his archive
            raise failure
        return opened(path, mode, *more)

    monkeypatch.setattr(Path, "open", fail)
    tasks = tasks_of(root)
    assert tasks["ada"].chosen.problem == tasks["ada"].trouble == ""
    assert tasks["bob"].trouble.startswith("bob.zip: cannot be unpacked")
    assert len(list((tmp_path / "spool").iterdir())) == packed, "nothing of it is left"


@pytest.mark.parametrize("failure", FAILURES, ids=str)
def test_a_folder_that_the_grader_cannot_list_is_its_own_trouble(
    failure: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = filled(tmp_path / "class", {"ada.ipynb": ANSWER, "bob/x.ipynb": ANSWER})
    scan = os.scandir

    def fail(folder: Path):
        if Path(folder).name in failing:
            raise failure
        return scan(folder)

    monkeypatch.setattr(os, "scandir", fail)
    failing = ["bob"]
    tasks = tasks_of(root)
    assert tasks["ada"].trouble == ""
    assert tasks["bob"].trouble.startswith("bob: the folder cannot be read")
    failing.append("class")
    with pytest.raises(TableError, match="class: cannot be read"):
        tasks_of(root)


@pytest.mark.skipif(os.name == "nt", reason="file systems there keep no such times")
def test_a_time_that_cannot_be_is_no_time(tmp_path: Path) -> None:
    root = filled(tmp_path / "class", {"ada.ipynb": ANSWER, "eve.ipynb": ANSWER})
    (tmp_path / "spool").mkdir()
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("ada.ipynb"), ANSWER)
    content = bytearray((tmp_path / "class.zip").read_bytes())
    listing = content.index(b"PK\1\2")
    content[listing + 12 : listing + 16] = b"\xff" * 4
    (tmp_path / "class.zip").write_bytes(content)
    assert tasks_of(tmp_path / "class.zip")["ada"].chosen.submitted is None
    os.utime(root / "eve.ipynb", (-3_000_000_000, -3_000_000_000))
    assert tasks_of(root)["eve"].chosen.submitted is None


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_files_beside_the_notebooks_that_are_none_are_named_or_their_students(
    packed: bool, tmp_path: Path
) -> None:
    given = {
        "bob.ipynb": ANSWER,
        "al.pdf": b"%PDF",
        "notes.docx": b"PK",
        "receipt.txt": b"handed in",
    }
    root = filled(tmp_path / "class", given)
    if packed:
        root = tmp_path / "class.zip"
        root.write_bytes(zipped(given))
    spool = tmp_path / "spool"
    spool.mkdir()
    found = Class(root, EXERCISES, spool)
    assert {task.student.key for task in found.tasks()} == {"bob"}
    assert found.said == ["no notebooks, and not read: al.pdf, notes.docx, receipt.txt"]
    tasks = tasks_of(root, roster=roster(tmp_path))
    assert tasks["al"].chosen.problem == "al.pdf: is not a notebook (.ipynb)"


def test_a_file_that_a_platform_has_named_is_its_students(tmp_path: Path) -> None:
    given = {
        "ada_4242_900_exercise.ipynb": ANSWER,
        "bob_4243_901_answers.pdf": b"%PDF",
        "cy_4244_902_exercise.ipynb": ANSWER,
        "cy_4244_903_figure.png": b"",
    }
    tasks = tasks_of(filled(tmp_path / "class", given))
    problems = {student: task.chosen.problem for student, task in tasks.items()}
    assert problems["ada_4242"] == problems["cy_4244"] == ""
    assert problems["bob_4243"].endswith("is not a notebook (.ipynb)")


def test_blackboards_note_about_an_attempt_is_nobodys(tmp_path: Path) -> None:
    attempt = "Homework_1_cy_attempt_2026-10-06-01-02-03"
    given = {f"{attempt}.txt": b"submitted", f"{attempt}_exercise.ipynb": ANSWER, f"{attempt}_x.txt": b"?"}
    spool = tmp_path / "spool"
    spool.mkdir()
    found = Class(filled(tmp_path / "class", given), EXERCISES, spool)
    told = {task.exercise: task.chosen and task.chosen.problem for task in found.tasks()}
    assert told == {"01_sample": "", "02_other": f"{attempt}_x.txt: is not a notebook (.ipynb)"}
    assert found.said[0] == f"no notebooks, and not read: {attempt}.txt"
