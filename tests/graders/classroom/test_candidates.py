"""Of several notebooks the newest counts, and what is said of the others is true."""

import os
import subprocess
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from class_cases import answering, roster, tasks_of

ANSWER = answering("01.1", "01.2")
MONDAY, TUESDAY = (2026, 10, 5, 12, 0, 0), (2026, 10, 6, 12, 0, 0)
SAME = "of the same time, and a name that comes before"


def zipped(files: dict[str, tuple], content: bytes = ANSWER) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, time in files.items():
            archive.writestr(zipfile.ZipInfo(name, time), content)
    return stream.getvalue()


def of_ada(folder: Path, files: dict[str, bytes], packed: bool = False, **fields: object):
    root = folder / "class"
    for name, content in files.items():
        path = root / "ada" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (1_790_000_000, 1_790_000_000))
    if packed:
        root = folder / "class.zip"
        with zipfile.ZipFile(root, "w") as archive:
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(f"ada/{name}", MONDAY), content)
            archive.writestr(zipfile.ZipInfo("bo/x.ipynb", MONDAY), ANSWER)
    return tasks_of(root, **fields)["ada"]


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize(
    "names",
    [
        ["exercise", "exercise (1)", "exercise (2)", "exercise (10)"],
        ["exercise_v2", "exercise_v9", "exercise_v10"],
        ["Exercise", "exercise (1)"],
        ["hw1", "hw02", "hw10"],
        ["exercise", "exercise-1", "exercise-2"],
        ["9/exercise", "10/exercise"],
        ["exercise²", "exercise²²"],
    ],
)
def test_where_times_are_equal_the_number_of_a_copy_counts(
    names: list[str], packed: bool, tmp_path: Path
) -> None:
    *before, last = (f"{name}.ipynb" for name in names)
    for place, content in enumerate(
        (
            {name: ANSWER for name in (last, *before)},
            {"w.zip": zipped(dict.fromkeys((last, *before), MONDAY))},
        )
    ):
        (tmp_path / str(place)).mkdir()
        task = of_ada(tmp_path / str(place), content, packed)
        assert task.chosen.file.label.endswith(last)
        assert sorted(other.rpartition(": ")[2] for other in task.others) == [SAME] * len(before)


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_the_newest_of_a_students_archive_counts(packed: bool, tmp_path: Path) -> None:
    content = zipped({"b.ipynb": MONDAY, "a.ipynb": TUESDAY, "c (9).ipynb": MONDAY})
    task = of_ada(tmp_path, {"w.zip": content}, packed)
    assert task.chosen.file.inside == "a.ipynb"
    assert {other.rpartition(": ")[2] for other in task.others} == {"older, by the time in its archive"}
    assert task.chosen.submitted.source == ("archive entry" if packed else "modification time")
    assert task.chosen.submitted.time.day != 6 or not packed


def test_a_time_in_ones_own_archive_is_never_that_of_the_submission(tmp_path: Path) -> None:
    """It orders what one archive holds; neither lateness nor a newer file knows of it."""
    old, new = zipped({"x.ipynb": (2000, 1, 1, 0, 0, 0)}), zipped({"x.ipynb": (2099, 1, 1, 0, 0, 0)})
    root = tmp_path / "class" / "ada"
    root.mkdir(parents=True)
    for name, content, time in (("old", new, 1_790_000_000), ("new", old, 1_790_000_999)):
        (root / f"{name}.zip").write_bytes(content)
        os.utime(root / f"{name}.zip", (time, time))
    task = tasks_of(tmp_path / "class")["ada"]
    assert task.chosen.file.label == "ada/new.zip/x.ipynb"
    assert task.chosen.submitted.time.timestamp() == 1_790_000_999
    assert task.others == ("ada/old.zip/x.ipynb: older",)


def test_archives_within_archives_have_the_times_of_their_own_entries(tmp_path: Path) -> None:
    inner = {name: zipped({"x.ipynb": time}) for name, time in (("z", MONDAY), ("a", TUESDAY))}
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in inner.items():
            archive.writestr(zipfile.ZipInfo(f"{name}.zip", MONDAY), content)
    assert of_ada(tmp_path, {"w.zip": stream.getvalue()}).chosen.file.inside == "a.zip/x.ipynb"


def test_where_the_roster_tells_the_time_the_files_own_decides_between_files(tmp_path: Path) -> None:
    root = tmp_path / "class" / "ada"
    root.mkdir(parents=True)
    for name, time in (("a", 1_790_000_999), ("b", 1_790_000_000)):
        (root / f"{name}.ipynb").write_bytes(ANSWER)
        os.utime(root / f"{name}.ipynb", (time, time))
    students = roster(tmp_path, "student,submitted\nada,2026-10-05T23:41+02:00\n")
    task = tasks_of(tmp_path / "class", roster=students)["ada"]
    assert (task.chosen.file.label, task.chosen.submitted.source) == ("ada/a.ipynb", "roster")
    assert task.others == ("ada/b.ipynb: older, by the time of the file",)


@pytest.mark.parametrize(
    "command, inside",
    [
        ("cat exercise.ipynb | zip -q - - > w.zip", "-"),
        ("cat exercise.ipynb | zip -q -fz w.zip -", "-"),
        ("zip -q -fz w.zip exercise.ipynb", "exercise.ipynb"),
        ("zip -q -r - exercise.ipynb | cat > w.zip", "exercise.ipynb"),
    ],
)
def test_an_archive_of_a_program_that_streams_is_read(command: str, inside: str, tmp_path: Path) -> None:
    (tmp_path / "exercise.ipynb").write_bytes(ANSWER)
    try:
        subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    except subprocess.CalledProcessError:
        pytest.skip("there is no zip here")
    task = of_ada(tmp_path, {"w.zip": (tmp_path / "w.zip").read_bytes()})
    assert (task.chosen.problem, task.chosen.file.inside) == ("", inside)


def with_second_end(content: bytes, size: int | None = None, hide: bool = False) -> bytes:
    """The archive with zip64's end records, which tell the size of the listing, or another one."""
    end = content.rindex(b"PK\5\6")
    start, length = (int.from_bytes(content[end + at : end + at + 4], "little") for at in (16, 12))
    count = int.from_bytes(content[end + 10 : end + 12], "little")
    told = length if size is None else size
    numbers = [44, 45 | 45 << 16, 0, 0, count, count, told, start]
    widths = [8, 4, 4, 4, 8, 8, 8, 8]
    record = b"PK\6\6" + b"".join(n.to_bytes(w, "little") for n, w in zip(numbers, widths, strict=True))
    locator = b"PK\6\7" + bytes(4) + end.to_bytes(8, "little") + (1).to_bytes(4, "little")
    last = bytearray(content[end:])
    if hide:
        last[8:20] = b"\xff" * 12
    return content[:end] + record + locator + bytes(last)


@pytest.mark.parametrize("hide", [False, True], ids=["both ends tell", "only the second tells"])
def test_an_archive_with_a_second_end_is_read_and_bounded(hide: bool, tmp_path: Path) -> None:
    content = with_second_end(zipped({"x.ipynb": MONDAY}), hide=hide)
    assert of_ada(tmp_path, {"w.zip": content}).chosen.problem == ""
    many = with_second_end(zipped({f"{number:0200d}": MONDAY for number in range(18_000)}, b""), hide=hide)
    task = of_ada(tmp_path, {"w.zip": many})
    assert "lists more entries than" in task.chosen.problem


def test_letters_of_a_second_end_in_a_notebook_do_no_harm(tmp_path: Path) -> None:
    noted = ANSWER.replace(b"x = 1", b"x = 'PK\6\7'".replace(b"\6\7", b"\\u0006\\u0007"))
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("note.txt", b"PK\6\7")
        archive.writestr("x.ipynb", noted)
    assert of_ada(tmp_path, {"w.zip": stream.getvalue()}).chosen.file.inside == "x.ipynb"
