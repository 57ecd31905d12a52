"""A class run that is killed at chosen moments and started again until it is done."""

import contextlib
import json
import os
import random
import re
import select
import signal
import subprocess
from pathlib import Path

from class_runs import AT_ONCE, command, files

TO_GRADE = re.compile(r"^(\d+) of (\d+) submissions are to be graded$", re.MULTILINE)


def finished(grades: Path) -> dict[str, tuple[int, int]]:
    """The records that are there, by student, with what changes when a file is written again."""
    found = {}
    for path in grades.glob("submissions/*/[0-9]*.json"):
        if not path.name.endswith(".results.json"):
            json.loads(path.read_text(encoding="utf-8"))
            status = path.stat()
            found[path.parent.name] = (status.st_ino, status.st_mtime_ns)
    return found


def _descendants(process: int) -> list[int]:
    found, waiting = [], [process]
    while waiting:
        parent = waiting.pop()
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                children = [int(child) for child in (task / "children").read_text().split()]
                found += children
                waiting += children
    return found


def _kill(run: subprocess.Popen) -> None:
    """SIGKILL for the grader and its group; its sandboxes, which are in no group of it, have to end too."""
    watched = []
    for process in _descendants(run.pid):
        with contextlib.suppress(ProcessLookupError):
            watched.append(os.pidfd_open(process))
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    for process in watched:
        ended, _, _ = select.select([process], [], [], 60)
        os.close(process)
        assert ended, "a worker outlives its grader"


def killed_and_restarted(
    exercise: Path, submissions: Path, grades: Path, kills: int, seed: int
) -> list[tuple[int, int]]:
    """Kills the run so many times, each after some more results, and lets it end.

    More submissions than are graded at once are left at each kill, so that the run cannot end before it.
    Returns the numbers of submissions that each start found to be graded, and of all. No record that was
    there before a start may be written again.
    """
    rng = random.Random(seed)
    total = len(list(submissions.iterdir()))
    targets = sorted(rng.sample(range(total - AT_ONCE - 1), kills))
    log = grades.with_name("log.txt")
    starts: list[tuple[int, int]] = []
    before: dict[str, tuple[int, int]] = {}
    for target in [*targets, None]:
        with log.open("w") as stream:
            run = subprocess.Popen(
                command(exercise, submissions, grades),
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
            while target is not None and run.poll() is None:
                started = TO_GRADE.search(log.read_text())
                if started and len(finished(grades)) > target:
                    break
                with contextlib.suppress(subprocess.TimeoutExpired):
                    run.wait(timeout=rng.uniform(0.001, 0.2))
            if target is None:
                run.wait()
            else:
                assert run.poll() is None, log.read_text()
                _kill(run)
        told = TO_GRADE.search(log.read_text())
        # a kill may come after the last result: then nothing is left, and nothing is said
        starts.append((int(told[1]), int(told[2])) if told else (0, total))
        after = finished(grades)
        assert starts[-1] == (total - len(before), total)
        assert {student: after[student] for student in before} == before
        before = after
    assert run.returncode == 0, log.read_text()
    return starts


def the_same(one: Path, other: Path) -> list[str]:
    """The names of files that differ between two folders of grades."""
    first, second = files(one), files(other)
    return sorted(n for n in first.keys() | second.keys() if first.get(n) != second.get(n))
