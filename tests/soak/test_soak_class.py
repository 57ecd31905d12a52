"""A class of 200, one in ten hostile: none lost, every result true, at what speed, and killed ten times.

Prints its figures (`make soak` shows them); SOAK_CLASS and SOAK_KILLS take other numbers.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from class_runs import NO_PLACES, command, differences, mixed_class
from hostile_cases import EXERCISE
from killed_class import finished, killed_and_restarted, the_same

SIZE = int(os.environ.get("SOAK_CLASS", "200"))
KILLS = int(os.environ.get("SOAK_KILLS", "10"))
OTTER_SECONDS = 10.0
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("SOAK" not in os.environ, reason="takes half an hour; make soak runs it"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap (apt install bubblewrap)"),
]


@dataclass(frozen=True)
class Graded:
    folder: Path
    seconds: float
    peak_bytes: int


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graded]:
    """The class, graded in one run of the command, with the grader's own peak of memory."""
    folder = tmp_path_factory.mktemp("class")
    for member in mixed_class(SIZE):
        member.hand_in(folder / "submissions", NO_PLACES)
    started, peak = time.monotonic(), 0
    words = command(EXERCISE, folder / "submissions", folder / "grades")
    with subprocess.Popen(words) as run:
        while run.poll() is None:
            for line in Path(f"/proc/{run.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    peak = max(peak, int(line.split()[1]) << 10)
            try:
                run.wait(timeout=0.5)
            except subprocess.TimeoutExpired:
                continue
    assert run.returncode == 0
    yield Graded(folder, time.monotonic() - started, peak)


def test_none_of_a_large_class_is_lost_and_every_result_is_true(graded: Graded) -> None:
    members = mixed_class(SIZE)
    each = graded.seconds / SIZE
    hostile = sum(member.hostile is not None for member in members)
    print(
        f"\n{SIZE} submissions ({hostile} hostile) in {graded.seconds:.0f} s at -j 2: {each:.2f} s each, "
        f"{OTTER_SECONDS / each:.1f} times Otter's {OTTER_SECONDS:g} s; peak memory of the grader "
        f"{graded.peak_bytes / 2**20:.0f} MB"
    )
    assert finished(graded.folder / "grades").keys() == {member.name for member in members}
    rows = (graded.folder / "grades" / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == SIZE + 1
    assert differences(graded.folder / "grades", members) == []


def test_a_grader_that_is_killed_many_times_loses_and_repeats_nothing(graded: Graded, tmp_path: Path) -> None:
    starts = killed_and_restarted(EXERCISE, graded.folder / "submissions", tmp_path / "grades", KILLS, seed=1)
    print(f"\nkilled {KILLS} times; to be graded at each start: {[left for left, _ in starts]} of {SIZE}")
    assert the_same(graded.folder / "grades", tmp_path / "grades") == []
