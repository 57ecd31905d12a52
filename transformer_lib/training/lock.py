"""One run per folder: a lock of the operating system, which ends with the process that holds it."""

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from transformer_lib.training.files import check_folder

__all__ = ["holding"]

NAME = ".lock"

_held: dict[Path, tuple[int, int]] = {}  # by which process and thread
_guard = threading.Lock()

if sys.platform == "win32":
    import msvcrt

    BEYOND = 1 << 30  # what is locked cannot be read, so it is not where the name stands

    def _is_locked(file: IO[str]) -> bool:
        """Whether the file could be locked."""
        file.seek(BEYOND)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import errno
    import fcntl

    def _is_locked(file: IO[str]) -> bool:
        """Whether the file could be locked; a disk that has no locks is taken at its word."""
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # not inherited by a fork, unlike flock
        except OSError as error:
            return error.errno not in (errno.EACCES, errno.EAGAIN)
        return True


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Keep other runs, of this process or another, out of ``folder`` for as long as the block takes.

    The thread that holds a folder may ask for it again. The folder is made if need be, and goes again if
    nothing was put into it. A process that is killed leaves the file ``.lock``, and with it no lock.

    Raises
    ------
    ValueError
        If another run is at work there, saying which; or if no file could be written there.
    """
    check_folder(folder)
    place, me = folder.resolve(), (os.getpid(), threading.get_ident())
    with _guard:
        holder = _held.get(place)
        is_inner = holder == me
        if holder is not None and not is_inner and holder[0] == me[0]:
            raise ValueError(_refusal(folder, f"another thread of this process ({me[0]})"))
        if not is_inner:
            missing = [part for part in (place, *place.parents) if not part.exists()]
            place.mkdir(parents=True, exist_ok=True)
            try:
                file = _locked(folder, place)
            except BaseException:
                _remove(missing)
                raise
            _held[place] = me
    if is_inner:
        yield
        return
    try:
        yield
    finally:
        with _guard:
            del _held[place]
            with suppress(OSError):
                if sys.platform != "win32":  # where an open file cannot be removed
                    (place / NAME).unlink()
            file.close()
            with suppress(OSError):
                if sys.platform == "win32":
                    (place / NAME).unlink()
            _remove(missing)


def _locked(folder: Path, place: Path) -> IO[str]:
    """The open file of the lock, with the name of this process in it."""
    path = place / NAME
    while True:
        file = path.open("a+", encoding="utf-8")
        try:
            if not _is_locked(file):
                raise ValueError(_refusal(folder, _holder(path)))
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                with suppress(OSError):  # on a full disk, the lock has no name
                    _sign(file, path)
                return file
            file.close()  # removed by who held it until now
        except BaseException:
            file.close()
            raise


def _sign(file: IO[str], path: Path) -> None:
    """Say in the file who holds it; one that is left can be locked by other users of the folder, too."""
    with suppress(OSError):
        path.chmod(0o666)
    file.seek(0)
    file.truncate()
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    json.dump({"process": os.getpid(), "host": socket.gethostname(), "since": since}, file)
    file.flush()


def _holder(path: Path) -> str:
    try:
        who = json.loads(path.read_text(encoding="utf-8"))
        return f"process {who['process']} on {who['host']}, since {who['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _refusal(folder: Path, who: str) -> str:
    return f"{folder} is in use by another run ({who}): wait for its end, stop it, or take another folder"


def _remove(folders: list[Path]) -> None:
    """Remove folders that were made, the innermost first, unless something is in them."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()
