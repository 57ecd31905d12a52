"""Control groups: used where the grader alone may divide its own, and left alone everywhere else.

A folder stands for the kernel's: few machines lend a group with the controllers of memory and processes.
"""

import os
import shutil
from pathlib import Path

import pytest
from autograder.worker import sandbox
from autograder.worker.groups import Group, Groups
from autograder.worker.sandbox import BubblewrapLauncher
from autograder.worker.session import Session

CONTROLLERS = "cpu io memory pids\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cgroup.controllers").write_text(CONTROLLERS)
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n")
    return tmp_path


def test_a_group_of_its_own_is_divided_and_a_sandbox_gets_its_limits(folder: Path) -> None:
    groups = Groups.divided(folder, os.getpid())
    assert groups == Groups(folder)
    assert (folder / "grader" / "cgroup.procs").read_text() == str(os.getpid())
    assert (folder / "cgroup.subtree_control").read_text() == "+memory +pids"
    made, other = groups.group(4 << 30, 68), groups.group(4 << 30, 68)
    assert made.folder.parent == other.folder.parent == folder and made != other
    limits = {path.name: path.read_text() for path in made.folder.iterdir()}
    assert limits == {
        "memory.max": str(4 << 30),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "68",
    }


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("cgroup.controllers", "cpu io pids\n"),
        ("cgroup.controllers", "hugetlb\n"),
        ("cgroup.procs", "{me}\n1\n"),
        ("cgroup.procs", "1\n"),
        ("cgroup.procs", ""),
        ("cgroup.procs", None),
    ],
)
def test_a_group_that_others_are_in_or_that_lacks_a_controller_is_left_as_it_is(
    file: str, content: str | None, folder: Path
) -> None:
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_text(content.replace("{me}", str(os.getpid())))
    before = sorted(path.name for path in folder.iterdir())
    assert Groups.divided(folder, os.getpid()) is None
    assert sorted(path.name for path in folder.iterdir()) == before


def test_the_kernel_tells_whether_it_ended_what_held_too_much(tmp_path: Path) -> None:
    for count, ended in [(0, False), (1, True)]:
        (tmp_path / "memory.events").write_text(f"low 0\nhigh 0\nmax 12\noom {count}\noom_kill {count}\n")
        assert Group(tmp_path).out_of_memory is ended


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap (apt install bubblewrap)")
def test_a_sandbox_enters_its_group_before_it_begins_and_the_group_goes_with_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []

    def end(group: Group) -> None:
        ended.append((group.folder / "cgroup.procs").read_text())

    monkeypatch.setattr(sandbox, "own_groups", lambda: Groups(folder))
    monkeypatch.setattr(Group, "end", end)
    monkeypatch.setattr(Group, "out_of_memory", property(lambda group: not ended))
    with Session(BubblewrapLauncher()) as session:
        program = "def call(student, inputs):\n    return {'found': student.x}\n"
        ran = session.run([("question", "x = 3")], [(program, [{"$": "dict", "v": []}])], [], seconds=30)
        assert ran.cases[0, 0].outputs == {"found": 3}
        (made,) = [path for path in folder.iterdir() if path.name.startswith("sandbox-")]
        assert (made / "pids.max").read_text() == str(BubblewrapLauncher().processes + sandbox.STARTERS)
    assert ended == ["0\n"]
