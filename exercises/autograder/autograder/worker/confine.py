"""What a sandboxed worker does to itself before it reads a request: firm limits, and no rights.

Runs inside bubblewrap on Linux only; ``sandbox`` starts it.
"""

import contextlib
import ctypes
import os
import resource
import signal
import time
from pathlib import Path

_PR_SET_DUMPABLE = 4


def confine(uid: int, processes: int, file_size: int) -> None:
    """Hard limits for this process and all that it starts, and ``uid`` for good where it is still root."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    limits = {
        resource.RLIMIT_NPROC: processes,
        resource.RLIMIT_FSIZE: file_size,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 1 << 20,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    if os.getuid() == 0 or os.geteuid() == 0:
        raise PermissionError("the worker is still root")
    # its forks run a student's code under the same user: they shall not trace it or open its pipes
    if ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        raise PermissionError("the worker can be traced")


def end_others() -> None:
    """End every process of the sandbox but this one and bubblewrap's own, and wait until they are gone.

    Where they do not go, this process must not answer another question beside them: TimeoutError.
    """
    kept = {1, os.getpid()}
    for _ in range(500):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(-1, signal.SIGKILL)
        if {int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()} <= kept:
            return
        time.sleep(0.01)
    raise TimeoutError("processes that the code started do not end")
