"""Folders and files: written whole or not at all, and refused before anything is lost."""

import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["check_folder", "replace_whole", "write_atomically"]

WAITS: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0) if sys.platform == "win32" else ()  # seconds


def check_folder(folder: Path) -> None:
    """Refuse a folder in which no file could be written; nothing is made.

    Raises
    ------
    ValueError
        Naming the file that is in its place, or the folder that may not be written to.
    """
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    if nearest.exists() and not nearest.is_dir():
        raise ValueError(f"{folder} cannot be a folder, for {nearest} is a file: choose another folder")
    if not os.access(nearest, os.W_OK):
        raise ValueError(f"{folder} cannot be written to: choose a folder in which you may write")


def write_atomically(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file so that any reader, also after a crash, finds the old content or the new, never a part."""
    return replace_whole(Path(path), lambda temporary: temporary.write_bytes(content))


def replace_whole(path: Path, write: Callable[[Path], object]) -> Path:
    """What ``write`` writes into a temporary file becomes the file at ``path``, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.touch()
        mode = stat.S_IMODE(temporary.stat().st_mode)  # what the user's umask leaves
        write(temporary)
        temporary.chmod(mode)  # whatever the writer has chosen
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        _take_place(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return path


def _take_place(temporary: Path, path: Path) -> None:
    """Put a file in the place of another, which on Windows waits for those who are reading that one."""
    for seconds in WAITS:
        try:
            temporary.replace(path)
        except PermissionError:
            time.sleep(seconds)
        else:
            return
    temporary.replace(path)
