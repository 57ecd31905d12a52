"""What the processes of a sandbox hold, as the kernel tells it from outside: memory, files and sockets."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path


def tree(process: int) -> list[int]:
    """The process and its descendants."""
    found, waiting = [], [process]
    while waiting:
        found.append(waiting.pop())
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{found[-1]}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
    return found


def _held(process: int, file: str, *names: str) -> int | None:
    """Bytes of memory that a process holds, from a file of the kernel's; None where it may not be read.

    A process that has ended meanwhile holds nothing.
    """
    try:
        lines = Path(f"/proc/{process}/{file}").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    except OSError:
        return None
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(names))


def memory(processes: list[int], allowed: int) -> int:
    """Bytes that processes hold and no file backs; shared memory counts once if that makes a difference."""
    each = [_held(process, "status", "RssAnon:", "RssShmem:") or 0 for process in processes]
    if sum(each) <= allowed:
        return sum(each)
    shares = [_held(process, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:") for process in processes]
    return sum(whole if share is None else share for whole, share in zip(each, shares, strict=True))


def files(process: int, places: Iterable[str]) -> int:
    """How many files, folders and links there are in these file systems, as ``process`` sees them."""
    counted = 0
    for place in places:
        with contextlib.suppress(OSError):
            space = os.statvfs(f"/proc/{process}/root{place}")
            counted += space.f_files - space.f_ffree
    return counted


def sockets(process: int) -> int:
    """How many sockets there are in the network of ``process``."""
    with contextlib.suppress(OSError):
        first = Path(f"/proc/{process}/net/sockstat").read_text().partition("\n")[0]
        return int(first.rpartition(" ")[2])
    return 0
