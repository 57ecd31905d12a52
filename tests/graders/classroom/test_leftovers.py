"""What a run leaves that is killed or finds no room: nothing outside its folder, and one line."""

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from autograder.__main__ import main
from autograder.classroom.gradebook import Gradebook
from autograder.files import write_bytes
from grader_cases import SAMPLE


def test_temporary_files_lie_below_the_grades_and_go(tmp_path: Path) -> None:
    before, temporary = tempfile.gettempdir(), tmp_path / "grades" / ".temporary"
    with Gradebook(tmp_path / "grades") as gradebook:
        (temporary / "left" / "by").mkdir(parents=True)
        with gradebook.temporary_files() as place:
            assert place == temporary and list(place.iterdir()) == [], "what a killed run left is gone"
            assert Path(tempfile.mkdtemp()).parent == place
    assert not temporary.exists() and tempfile.gettempdir() == before


@pytest.mark.slow
def test_a_killed_grader_leaves_nothing_outside_its_folder(tmp_path: Path) -> None:
    elsewhere, grades = tmp_path / "elsewhere", tmp_path / "grades"
    elsewhere.mkdir()
    words = ["grade", SAMPLE, SAMPLE / "solution.ipynb", "-o", grades, "--no-sandbox"]
    run = subprocess.Popen(
        [sys.executable, "-m", "autograder", *map(str, words)],
        env={**os.environ, "TMPDIR": str(elsewhere)},
        stderr=subprocess.PIPE,
        text=True,
    )
    temporary = grades / ".temporary"
    while not (temporary.is_dir() and any(temporary.iterdir())):
        assert run.poll() is None
    run.kill()
    run.communicate()
    assert list(elsewhere.iterdir()) == []
    assert {path.name for path in grades.iterdir()} == {".gradebook", ".temporary"}


@pytest.mark.slow
def test_a_home_that_cannot_be_written_leaves_nothing_and_no_traceback_at_the_end(tmp_path: Path) -> None:
    elsewhere, no_home = tmp_path / "elsewhere", tmp_path / "a file"
    elsewhere.mkdir()
    no_home.touch()
    program = (
        "import sys; from pathlib import Path; from autograder.classroom.gradebook import Gradebook\n"
        "from autograder.classroom.statistics import as_plot\n"
        "with Gradebook(Path(sys.argv[1])) as gradebook, gradebook.temporary_files():\n"
        "    assert as_plot([{'exercise': 'one', 'distribution': [], 'questions': []}])"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MPL", "XDG_"))}
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "grades")],
        env={**environment, "HOME": str(no_home / "home"), "TMPDIR": str(elsewhere)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and "Traceback" not in run.stderr, run.stderr
    assert list(elsewhere.iterdir()) == [] and not (tmp_path / "grades" / ".temporary").exists()


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path, content: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_bytes", write)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_is_one_line_and_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "ada.ipynb").write_text("junk", encoding="utf-8")
    words = ["grade", SAMPLE, tmp_path / "ada.ipynb", "-o", tmp_path / "grades", "--no-sandbox", "--seed", 7]
    assert main([str(word) for word in words]) != 0
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "No space left on device" in err
    assert not list(tmp_path.glob("grades/**/*.tmp")) and not (tmp_path / "grades" / ".temporary").exists()


@pytest.mark.usefixtures("full_disk")
def test_a_file_that_could_not_be_written_leaves_no_half_of_it(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        write_bytes(tmp_path / "grades.csv", b"x")
    assert list(tmp_path.iterdir()) == []
