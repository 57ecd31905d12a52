"""Limits by control groups (cgroup v2), where the grader runs in a group of its own that it may divide.

What the processes of a group hold is counted together: their memory, files in memory, sockets, and what the
kernel keeps about them. A login session or a service that holds other processes too is left as it is.
"""

import contextlib
import os
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NEEDED = ("memory", "pids")
ENTER = 'echo 0 > "$0/cgroup.procs" && exec "$@"'


@dataclass(frozen=True)
class Groups:
    """A control group that this process alone was in and that it has divided."""

    folder: Path

    @classmethod
    def divided(cls, folder: Path, process: int) -> "Groups | None":
        """Move ``process`` one level down, to make room for groups beside it; None if it may not."""
        try:
            has = (folder / "cgroup.controllers").read_text().split()
            inside = (folder / "cgroup.procs").read_text().split()
            if not set(NEEDED) <= set(has) or inside != [str(process)]:
                return None
            own = folder / "grader"
            own.mkdir(exist_ok=True)
            (own / "cgroup.procs").write_text(str(process))
            (folder / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in NEEDED))
        except OSError:
            return None
        return cls(folder)

    def group(self, memory: int, processes: int) -> "Group":
        """A new group for a sandbox."""
        made = Group(self.folder / f"sandbox-{secrets.token_hex(8)}")
        made.folder.mkdir()
        limits = {"memory.max": memory, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": processes}
        for name, limit in limits.items():
            (made.folder / name).write_text(str(limit))
        return made


@dataclass(frozen=True)
class Group:
    """The control group of one sandbox."""

    folder: Path

    def command(self, words: Sequence[str]) -> list[str]:
        """The command that enters the group and then runs ``words``: all that they start is in it too."""
        return ["/bin/sh", "-c", ENTER, str(self.folder), *words]

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel ended processes for what they held."""
        events = dict(line.split() for line in (self.folder / "memory.events").read_text().splitlines())
        return int(events.get("oom_kill", 0)) > 0

    def end(self) -> None:
        """Remove the group when its processes, which were told to end, are gone."""
        for _ in range(500):
            if not (self.folder / "cgroup.procs").read_text().strip():
                break
            time.sleep(0.01)
        with contextlib.suppress(OSError):  # a group that stays behind costs nothing
            self.folder.rmdir()


@cache
def own_groups() -> Groups | None:
    """The control groups of this process; None where there are none, or not for it alone to divide."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        names = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    except OSError:
        return None
    roots = [Path(fields[4]) for fields in mounts if fields[fields.index("-") + 1] == "cgroup2"]
    name = next((path for number, _, path in names if number == "0"), None)
    if not roots or name is None:
        return None
    return Groups.divided(roots[0] / name.lstrip("/"), os.getpid())
