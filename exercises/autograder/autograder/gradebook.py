"""The output folder of a graded class: a record a submission, tables, and the lock that keeps others out.

Every file is written whole or not at all, and only where it changes; a run that is killed leaves what it
had finished. ``grades/`` holds

- ``grades.csv``: a row a student; ``changes.csv``: what a regrading changed;
- ``statistics.md``, ``.json``, ``.png``: for the instructor;
- ``submissions/STUDENT/EXERCISE.json``: all that is known of a grade, with ``.html`` (for the student)
  and ``.results.json`` (the same for Gradescope) beside it.
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from autograder.build import write_bytes
from autograder.tables import TableError

MARKER = ".gradebook"
SAFE = re.compile(r"[^\w.@+ -]|^[. -]+|[. ]+$")
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def folder_name(student: str, others: Iterable[str] = ()) -> str:
    """A name that every file system takes, different for different students."""
    name = SAFE.sub("_", student)[:80] or "_"
    alike = any(other.casefold() == student.casefold() and other != student for other in others)
    if name == student and not alike and not RESERVED.fullmatch(name):
        return name
    return f"{name}-{hashlib.sha256(student.encode()).hexdigest()[:8]}"


def write_if_changed(path: Path, content: str | bytes) -> bool:
    """Writes a whole file, unless it holds just that."""
    new = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    if path.is_file() and path.read_bytes() == new:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, new)
    return True


def _locked(stream: IO[str]) -> bool:
    """Whether this process now holds the lock, which ends with it."""
    with contextlib.suppress(OSError):
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


@dataclass
class Gradebook:
    """The folder of one class. Use it as a context manager: inside, nobody else grades into it."""

    folder: Path
    students: list[str] = field(default_factory=list)
    _lock: IO[str] | None = None

    def __enter__(self) -> "Gradebook":
        marker = self.folder / MARKER
        if self.folder.is_dir() and not marker.exists() and any(self.folder.iterdir()):
            raise TableError(f"{self.folder}: holds other files; give an empty or a new folder with -o")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = marker.open("a+", encoding="utf-8")
        except OSError as error:
            raise TableError(f"{self.folder}: cannot be written: {error.strerror}") from None
        if not _locked(self._lock):
            self._lock.close()
            raise TableError(f"{self.folder}: another run is grading into it; wait for its end")
        for left in [*self.folder.glob("*.tmp"), *self.folder.glob("submissions/*/*.tmp")]:
            left.unlink()
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.close()

    def path(self, student: str, exercise: str, suffix: str) -> Path:
        return self.folder / "submissions" / folder_name(student, self.students) / f"{exercise}{suffix}"

    def load(self, student: str, exercise: str) -> dict[str, Any] | None:
        """The record of a grade, if there is one that can be read."""
        try:
            fields = json.loads(self.path(student, exercise, ".json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return fields if isinstance(fields, dict) else None

    def write(self, name: str, content: str | bytes | None) -> None:
        """A file of the whole class; None removes it."""
        if content is None:
            (self.folder / name).unlink(missing_ok=True)
        else:
            write_if_changed(self.folder / name, content)

    @property
    def _regraded(self) -> Path:
        return self.folder / ".regraded"

    def regraded(self) -> set[str]:
        """What an interrupted regrading had finished."""
        with contextlib.suppress(OSError):
            return set(self._regraded.read_text(encoding="utf-8").splitlines())
        return set()

    def note_regraded(self, key: str) -> None:
        with self._regraded.open("a", encoding="utf-8") as stream:
            stream.write(f"\n{key}\n")

    def end_regrading(self) -> None:
        self._regraded.unlink(missing_ok=True)
