"""Starting workers.

A launcher starts ``python -m autograder.worker`` with three pipes and nothing else shared; ``PlainLauncher``
does it with a plain subprocess on every platform, a sandbox does it with other arguments.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

KEPT_ENVIRONMENT = (
    "PATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "WINDIR", "USERPROFILE",
    "APPDATA", "LOCALAPPDATA", "HOMEDRIVE", "HOMEPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV",
)  # fmt: skip


class Process(Protocol):
    """A started worker: its pipes, and a way to end it with all that it started."""

    stdin: Any
    stdout: Any
    stderr: Any

    @property
    def out_of_memory(self) -> bool:
        """Whether it was ended for holding more than it may."""

    def kill(self) -> None:
        """End the worker and everything that it started."""


class Launcher(Protocol):
    """Starts workers; ``sandbox`` is how results name the place that it starts them in."""

    sandbox: ClassVar[str]

    def start(self) -> Process:
        """Start a worker."""


def fixed_environment() -> dict[str, str]:
    """The variables that are the same for every worker."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "MKL", "OPENBLAS")}
    return {
        **threads,
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONWARNINGS": "ignore",
        "MPLBACKEND": "Agg",
        "CUDA_VISIBLE_DEVICES": "",
    }


def worker_environment(folder: str) -> dict[str, str]:
    """The few variables that a plain worker gets, whose temporary files lie in ``folder``."""
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
    package = str(Path(__file__).resolve().parents[2])
    return {**kept, **temporary, **fixed_environment(), "PYTHONPATH": package}


class PlainProcess:
    """A worker in a process group of its own, in an empty temporary folder."""

    out_of_memory = False

    def __init__(self, once: bool) -> None:
        self.folder = tempfile.mkdtemp(prefix="autograder-")
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP
        self.popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "autograder.worker", *(["once"] if once else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=worker_environment(self.folder),
            start_new_session=sys.platform != "win32",
            creationflags=flags,
        )
        self.stdin, self.stdout, self.stderr = self.popen.stdin, self.popen.stdout, self.popen.stderr

    def kill(self) -> None:
        """End the worker and its process group."""
        if sys.platform == "win32":
            subprocess.run(
                ["taskkill", "/F", "/T", "/PID", str(self.popen.pid)], capture_output=True, check=False
            )
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True)
class PlainLauncher:
    """Spawns the worker as a plain subprocess: it guards the notebook from accidents, not from malice.

    With ``once`` a process answers one question, as it does on platforms without fork.
    """

    once: bool = False
    sandbox: ClassVar[str] = "none"

    def start(self) -> PlainProcess:
        """Start a worker."""
        return PlainProcess(self.once)
