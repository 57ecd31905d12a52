"""The class of sixty with workers: stopped by a full disk and by every signal, its rows are those by hand.

A sample of the class by default; `make soak` grades all of it.
"""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from class_of_sixty import SIZE, SixtyClass, class_of, differences
from class_runs import command
from grader_cases import SAMPLE
from killed_class import finished

SAMPLE_SIZE = 24
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap (apt install bubblewrap)"),
]


@pytest.fixture(scope="module")
def made() -> SixtyClass:
    return class_of(SIZE if "SOAK" in os.environ else SAMPLE_SIZE)


@pytest.fixture
def start(made: SixtyClass, tmp_path: Path) -> Callable[..., subprocess.Popen]:
    """Starts the command; what it says goes to log.txt."""
    tables = made.write(tmp_path)

    def started(grades: Path, **settings: object) -> subprocess.Popen:
        words = command(SAMPLE, tmp_path / "class.zip", grades, *tables)
        with (tmp_path / "log.txt").open("w") as log:
            return subprocess.Popen(words, stdout=log, stderr=log, start_new_session=True, **settings)

    return started


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, dict, Callable[[], None]]]:
    """A folder on a disk that is soon full, the settings of what writes to it, and how it is mended.

    Who may not mount a disk gets a limit on the size of files in its place.
    """
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        larger = ["mount", "-o", "remount,size=64m", str(folder)]
        yield folder, {}, lambda: subprocess.run(larger, check=True)
        subprocess.run(["umount", str(folder)], check=True)
    else:
        limits = (3000, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
        settings = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)}
        yield folder, settings, settings.clear


def stopped(run: subprocess.Popen, grades: Path, records: int, by: signal.Signals) -> int:
    """Stops the run when it has so many records; its exit status."""
    while run.poll() is None and len(finished(grades)) < records:
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(timeout=0.05)
    assert run.poll() is None, "it ended before it was stopped"
    run.send_signal(by)
    return run.wait(timeout=120)


def test_every_row_is_right_after_a_full_disk_and_every_signal(
    made: SixtyClass, start, small_disk, tmp_path: Path
) -> None:
    folder, settings, mend = small_disk
    grades, statuses = folder / "grades", []
    assert start(grades, **settings).wait() not in (0, None)
    *_, told = (tmp_path / "log.txt").read_text().splitlines()
    assert "cannot be read or written: " in told and "finished grades are kept" in told
    assert not (grades / "grades.csv").exists()
    mend()
    first = len(finished(grades))
    for place, by in enumerate(STOPS, 1):
        before = finished(grades)
        wanted = first + (len(made.rows) - first) * place // (len(STOPS) + 1)
        statuses.append(stopped(start(grades, **settings), grades, max(wanted, len(before) + 1), by))
        kept = finished(grades)
        assert {student: kept[student] for student in before} == before, "nothing is graded again"
    assert statuses[0] == 130 and all(statuses)
    assert start(grades, **settings).wait() == 0, (tmp_path / "log.txt").read_text()
    assert differences(grades, made) == []
    assert not list(grades.rglob("*.tmp"))
