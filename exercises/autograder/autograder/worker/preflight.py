"""Checks, before a class is graded, that the sandbox works and keeps what it promises."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
from pathlib import Path

import torch

from autograder.authoring.spec import WITHHELD, source_of
from autograder.worker.sandbox import BubblewrapLauncher
from autograder.worker.session import NOT_READY, Limits, Session, WorkerFailed
from autograder.worker.values import pack

OLDEST = (0, 7)
INSTALL = "Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora)."
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")


def probe(student, inputs):
    """What a sandboxed worker finds when it tries what it must not be able to do; True is good."""
    import os
    import resource
    import socket
    import sys
    from pathlib import Path

    def refused(act, *arguments):
        try:
            act(*arguments)
        except OSError:
            return True
        return False

    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
    limits = [getattr(resource, f"RLIMIT_{n}") for n in ("AS", "CPU", "FSIZE", "NOFILE", "NPROC", "CORE")]
    space = os.statvfs("/tmp")
    return {
        "it runs as a user without rights": os.getuid() != 0
        and not any(int(status[name], 16) for name in ("CapPrm", "CapEff", "CapAmb"))
        and status["NoNewPrivs"] == "1",
        "it has no network": refused(socket.create_connection, ("127.0.0.1", inputs["port"]), 2),
        "it cannot read the files of this machine": all(refused(open, path) for path in inputs["hidden"]),
        "it cannot write outside /tmp": all(
            refused(os.open, f"{place}/written", os.O_CREAT | os.O_WRONLY)
            for place in ("", "/usr", "/etc", "/dev", "/proc", *inputs["bound"])
        ),
        "it sees no other processes": sum(path.name.isdigit() for path in Path("/proc").iterdir()) <= 4,
        "its limits are in force": all(max(resource.getrlimit(n)) != resource.RLIM_INFINITY for n in limits),
        "its /tmp is small": space.f_blocks * space.f_frsize <= inputs["scratch"],
        "the course's own packages are not in it": not any(
            Path(place, name, "__init__.py").exists() for place in sys.path for name in inputs["withheld"]
        ),
        "torch computes in it": float(torch.ones(3).sum()) == 3.0,
    }


def sandbox_problem(launcher: BubblewrapLauncher | None = None) -> str | None:
    """Why submissions cannot be graded in the sandbox on this machine, and what helps; None if they can."""
    found = _missing() or _broken(launcher or BubblewrapLauncher())
    if found is None:
        return None
    what, remedy = found
    last = "Or pass --no-sandbox: submissions then run with your rights, and every result says so."
    return f"{what}\n{remedy}\n{last}"


def _missing() -> tuple[str, str] | None:
    if sys.platform != "linux":
        return (
            f"The sandbox for submissions needs Linux, and this is {sys.platform}.",
            "Grade on a Linux machine, in a virtual machine or in a container.",
        )
    program = shutil.which("bwrap")
    if program is None:
        return "The sandbox for submissions needs bubblewrap, and there is no program bwrap.", INSTALL
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"(\d+)\.(\d+)", told)
    if version is None or tuple(map(int, version.groups())) < OLDEST:
        return (
            f"bubblewrap {OLDEST[0]}.{OLDEST[1]} or later is needed, and {program} is {told.strip()}.",
            INSTALL,
        )
    if not Path(f"/proc/self/task/{threading.get_native_id()}/children").exists():
        return (
            "This kernel does not list a process's children, so memory cannot be watched.",
            "Use another kernel.",
        )
    return None


def _broken(launcher: BubblewrapLauncher) -> tuple[str, str] | None:
    package = Path(__file__).resolve().parents[1]
    with (
        tempfile.NamedTemporaryFile(prefix="autograder-") as other,
        socket.create_server(("127.0.0.1", 0)) as listening,
    ):
        Path(other.name).chmod(0o644)
        inputs = {
            "port": listening.getsockname()[1],
            "hidden": [
                str(package / "judging" / "exam.py"),
                other.name,
                "/etc/passwd",
                f"/proc/{os.getpid()}/environ",
            ],
            "bound": ["/autograder", str(Path(os.__file__).parent)],
            "scratch": launcher.scratch,
            "withheld": [name for name in WITHHELD if name not in launcher.uses],
        }
        try:
            with Session(launcher, Limits(start_seconds=60)) as session:
                run = session.run([("setup", "")], [(source_of(probe), [pack(inputs, [])])], [], seconds=20)
        except WorkerFailed as error:
            return f"The sandbox does not start.\n{textwrap.indent(str(error), '  ')}", _remedy(str(error))
    found = run.cases.get((0, 0))
    if found is None or found.error is not None:
        problem = found.error if found is not None else run.cells_error or run.lost
        return f"The sandbox does not answer: {problem}.", _remedy(run.printed)
    claims = found.outputs
    failed = [claim for claim, held in claims.items() if held is not True]
    if failed or not claims:
        return f"The sandbox does not hold: it is not true that {' or that '.join(failed)}.", _remedy("")
    return None


def _remedy(told: str) -> str:
    """What helps, by what bubblewrap said."""
    if NOT_READY in told:
        return "This machine has too much to do, or is very slow: try again when it is idle."
    if os.getuid() and APPARMOR.exists() and APPARMOR.read_text().strip() == "1":
        return (
            "Ubuntu 24.04 and later forbid it to users: allow it with\n"
            "  sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0\n"
            "or give bwrap an AppArmor profile, or grade as root."
        )
    if "namespace" in told or "Operation not permitted" in told or "uid map" in told:
        return (
            "A container needs the right to make namespaces: start it with --privileged, or with\n"
            "  --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
        )
    return f"See whether this works: bwrap --unshare-all --ro-bind / / true. {INSTALL}"
