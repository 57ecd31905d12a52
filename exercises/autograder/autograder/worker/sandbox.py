"""Workers in bubblewrap: no network, no files but Python's own, a user without rights, limits on everything.

Inside a sandbox there are the system's libraries, the base Python and its packages, the modules of this
package that the worker imports (all read-only), and an empty ``/tmp`` of a few megabytes that goes when the
sandbox does. There are no exercises, banks, fixtures, submissions or grades, and of the course's own packages
those alone that a question ``uses``.
"""

import contextlib
import importlib.util
import json
import os
import secrets
import select
import shutil
import signal
import site
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from autograder.authoring.spec import WITHHELD
from autograder.worker import holdings
from autograder.worker.groups import Group, own_groups
from autograder.worker.launcher import fixed_environment
from autograder.worker.seccomp import seccomp_program

INSIDE = "/autograder"
WORKER_MODULES = (
    "__init__.py",
    *(f"authoring/{name}.py" for name in ("__init__", "sizes", "spec")),
    *(
        f"worker/{name}.py"
        for name in ("__init__", "__main__", "confine", "forbids", "kernel", "messages", "student", "values")
    ),
)
SYSTEM = ("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/nix/store", "/gnu/store")
LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives")
SCRATCH = ("/tmp", "/dev/shm")
LOOK_SECONDS = 0.1
STARTERS = 4


def _python_folders() -> list[Path]:
    """The folders of the base Python and of the packages, by the names that programs know them under."""
    prefixes = {Path(sys.base_prefix), Path(sys.base_exec_prefix)}
    prefixes |= {prefix.resolve() for prefix in prefixes}
    folders = {prefix / name for prefix in prefixes for name in ("bin", "lib", "lib64")}
    return sorted(folder for folder in folders | set(_package_folders()) if folder.is_dir())


def _package_folders() -> list[Path]:
    known = {*site.getsitepackages(), site.getusersitepackages()}
    return [Path(folder) for folder in sys.path if folder in known and Path(folder).is_dir()]


def _bound(uses: Iterable[str]) -> dict[str, Path]:
    """What a sandbox holds beside the system: where it is inside, and what it is."""
    package = Path(__file__).resolve().parents[1]
    bound = {str(folder): folder for folder in _python_folders()}
    bound |= {f"{INSIDE}/autograder/{name}": package / name for name in WORKER_MODULES}
    for name in uses:
        found = importlib.util.find_spec(name)
        if found is not None and found.origin is not None:
            bound[f"{INSIDE}/{name}"] = Path(found.origin).resolve().parent
    return {
        inside: path
        for inside, path in bound.items()
        if not any(Path(inside).is_relative_to(system) for system in SYSTEM)
    }


def _hidden(uses: Iterable[str]) -> list[str]:
    """The folders of the course's packages that are installed beside others."""
    names = set(WITHHELD) - set(uses)
    places = [folder / name for folder in (*_package_folders(), *_python_folders()) for name in names]
    return sorted({str(place) for place in places if place.is_dir()})


def _filesystem(scratch: int, uses: Sequence[str]) -> list[str]:
    arguments: list[str] = []
    for link in LINKS:
        if Path(link).is_symlink():
            arguments += ["--symlink", str(Path(link).readlink()), link]
        elif Path(link).is_dir():
            arguments += ["--ro-bind", link, link]
    for place in (*SYSTEM, *SETTINGS):
        arguments += ["--ro-bind-try", place, place]
    space = ["--perms", "1777", "--size", str(scratch), "--tmpfs"]
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for place in SCRATCH:
        arguments += [*space, place]
    bound = _bound(uses)
    # bubblewrap closes to others the folders that it makes on the way to what it binds
    above = {str(folder) for inside in bound for folder in Path(inside).parents}
    for folder in sorted(above - {"/", "/tmp", "/usr"}):
        arguments += ["--perms", "0755", "--dir", folder]
    for inside, path in bound.items():
        arguments += ["--ro-bind", str(path), inside]
    for place in _hidden(uses):
        arguments += ["--tmpfs", place, "--remount-ro", place]
    return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/"]


def _worker_user() -> int:
    """An unused user id of this machine or container where the grader is root, else the grader's own."""
    if os.getuid():
        return os.getuid()
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    first, count = max(((int(a), int(n)) for a, _, n in ranges), key=lambda r: r[1])
    low = min(100_000, count // 2)
    return first + low + secrets.randbelow(min(count, 2_000_000_000) - low)


def _environment() -> dict[str, str]:
    paths = [INSIDE, *map(str, _package_folders())]
    return {
        **fixed_environment(),
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "USER": "student",
        "LANG": "C.UTF-8",
        "PYTHONNOUSERSITE": "1",
        "PYTHONPATH": os.pathsep.join(paths),
    }


def _pipe_with(content: bytes) -> int:
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return reading


@dataclass(frozen=True)
class BubblewrapLauncher:
    """Starts workers in sandboxes of their own.

    ``memory_in_all`` bounds what all processes of one sandbox hold together, ``scratch`` its ``/tmp``, and
    ``processes``, ``files`` (in memory) and ``sockets`` how many there are of each. ``uses`` are the packages
    of the course that are in it. It ends with the thread that started it.
    """

    memory_in_all: int = 4 << 30
    scratch: int = 64 << 20
    processes: int = 64
    files: int = 10_000
    sockets: int = 512
    uses: tuple[str, ...] = ()
    sandbox: ClassVar[str] = "bubblewrap"

    def start(self) -> "SandboxedProcess":
        """Start a worker in a sandbox."""
        return SandboxedProcess(self)


class SandboxedProcess:
    """A worker in bubblewrap, watched for what it and all that it started hold together.

    Where the grader may make control groups, the kernel counts what they hold as well.
    """

    def __init__(self, launcher: BubblewrapLauncher) -> None:
        user = _worker_user()
        told, tell = os.pipe()
        passed = [tell]
        unshared = ("ipc", "pid", "net", "uts", "cgroup-try")
        command = [shutil.which("bwrap") or "bwrap", "--die-with-parent", "--new-session"]
        command += ["--cap-drop", "ALL"]
        command += [f"--unshare-{name}" for name in unshared]
        if os.getuid():
            command += ["--unshare-user"]
        else:
            command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        command += ["--hostname", "sandbox", *_filesystem(launcher.scratch, launcher.uses), "--chdir", "/tmp"]
        if (program := seccomp_program()) is not None:
            passed.append(_pipe_with(program))
            command += ["--seccomp", str(passed[-1])]
        python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
        confinement = [str(n) for n in (user, launcher.processes, launcher.scratch)]
        command += ["--info-fd", str(tell), python, "-P", "-m", "autograder.worker", "confined", *confinement]
        groups = own_groups()
        self.group: Group | None = None
        if groups is not None:
            self.group = groups.group(launcher.memory_in_all, launcher.processes + STARTERS)
            command = self.group.command(command)
        try:
            self.popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(),
                cwd="/",
                pass_fds=passed,
                start_new_session=True,
            )
        except BaseException:
            os.close(told)
            if self.group is not None:
                self.group.end()
            raise
        finally:
            for descriptor in passed:
                os.close(descriptor)
        self.stdin, self.stdout, self.stderr = self.popen.stdin, self.popen.stdout, self.popen.stderr
        self.held_too_much = False
        self.ended = threading.Event()
        self.first = self._first_process(told)
        self.first_file: int | None = None
        if self.first is not None:
            with contextlib.suppress(ProcessLookupError):
                self.first_file = os.pidfd_open(self.first)
        self.watch = threading.Thread(target=self._watch, args=(launcher,), daemon=True)
        self.watch.start()

    @staticmethod
    def _first_process(told: int) -> int | None:
        """The process whose end is the end of the sandbox; None where bubblewrap could not make one."""
        with os.fdopen(told, "rb") as stream:
            try:
                return int(json.loads(stream.read())["child-pid"])
            except (ValueError, KeyError):
                return None

    @property
    def out_of_memory(self) -> bool:
        """Whether it was ended for what it held."""
        return self.held_too_much or (self.group is not None and self.group.out_of_memory)

    def _watch(self, allowed: BubblewrapLauncher) -> None:
        while self.first is not None and self.first_file is not None and not self.ended.wait(LOOK_SECONDS):
            if (
                holdings.memory(holdings.tree(self.first), allowed.memory_in_all) > allowed.memory_in_all
                or holdings.files(self.first, SCRATCH) > allowed.files
                or holdings.sockets(self.first) > allowed.sockets
            ):
                self.held_too_much = True
                self._end()
                return

    def _end(self) -> None:
        if self.first_file is None:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.first_file, signal.SIGKILL)

    def kill(self) -> None:
        """End the sandbox; on return no process of it is left."""
        self.ended.set()
        self.watch.join()
        self._end()
        if self.first_file is not None:
            select.select([self.first_file], [], [], 10)
            os.close(self.first_file)
            self.first_file = None
        self.popen.kill()
        self.popen.wait()
        if self.group is not None:
            self.held_too_much = self.out_of_memory
            self.group.end()
            self.group = None
