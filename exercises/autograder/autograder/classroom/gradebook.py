"""The output folder of a graded class: a record of each submission, tables, and a lock.

Every file is written whole or not at all, and only where it changes; a killed run leaves what it had
finished. ``grades/`` holds

- ``grades.csv``: one row per student; ``changes.csv``: what a regrading changed; ``canvas.csv`` and
  ``moodle.csv``: the totals as these platforms import them;
- ``statistics.md``, ``.json``, ``.png``: for the instructor;
- ``submissions/STUDENT/EXERCISE.json``: all that is known of a grade, with ``.html`` (for the student)
  and ``.results.json`` (the same for Gradescope) beside it.
"""

import contextlib
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from autograder.classroom.assessment import Previous
from autograder.classroom.csv_files import TableError
from autograder.classroom.names import normalized
from autograder.files import write_if_changed
from autograder.judging.grade import Grade

MARKER = ".gradebook"
EDITED = "grades.edited.csv"
SAFE = re.compile(r"[^\w.@+ -]|^[. -]+|[. ]+$")
MAX_NAME_BYTES = 120
# what Windows takes for a device, whatever follows behind a dot
RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\..*)?", re.IGNORECASE)


def folder_name(student: str, others: Iterable[str] = ()) -> str:
    """A name that every file system takes, different for different students."""
    name = SAFE.sub("_", student)[:80].encode()[:MAX_NAME_BYTES].decode(errors="ignore") or "_"
    alike = any(normalized(other) == normalized(student) and other != student for other in others)
    front = "_" if RESERVED.fullmatch(name) else ""
    if name == student and not alike and not front:
        return name
    return f"{front}{name}-{hashlib.sha256(student.encode()).hexdigest()[:8]}"


def _locked(stream: IO[str]) -> bool:
    """Take the lock, which ends with this process; False if another process has it."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


class Record(NamedTuple):
    """What the folder has of a grade: the grade itself, and what it replaced."""

    grade: Grade
    previous: Previous | None


@dataclass
class Gradebook:
    """The folder of one class. Use it as a context manager, which keeps other graders out."""

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
        if self._lock is not None:
            self._lock.close()

    @contextlib.contextmanager
    def temporary_files(self) -> Iterator[Path]:
        """A folder in this one for all temporary files of the run. What a killed run left goes first."""
        folder = (self.folder / ".temporary").resolve()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        before, tempfile.tempdir = tempfile.tempdir, str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir = before
            shutil.rmtree(folder, ignore_errors=True)

    def path(self, student: str, exercise: str, suffix: str) -> Path:
        """Where a file of a student's submission is."""
        return self.folder / "submissions" / folder_name(student, self.students) / f"{exercise}{suffix}"

    def load(self, student: str, exercise: str) -> Record | None:
        """The record of a grade, if there is one that can be read."""
        try:
            # half a surrogate pair, which a message may hold, is JSON for json alone
            fields = json.loads(self.path(student, exercise, ".json").read_text(encoding="utf-8"))
            grade = msgspec.convert({**fields, "conditions": fields}, Grade)
            return Record(grade, msgspec.convert(fields.get("previous"), Previous | None))
        except (OSError, ValueError, TypeError, AttributeError):
            return None

    def write(self, name: str, content: str | bytes | None) -> None:
        """Write a file of the whole class; None removes it."""
        if content is None:
            (self.folder / name).unlink(missing_ok=True)
        else:
            write_if_changed(self.folder / name, content)

    @property
    def _as_written(self) -> Path:
        return self.folder / ".grades.csv"

    def write_grades(self, content: str, keep: bool) -> None:
        """Write grades.csv; ``keep`` the one that is there beside it, since somebody has typed into it."""
        if keep:
            (self.folder / "grades.csv").replace(self.folder / EDITED)
        self.write("grades.csv", content)
        self.write(self._as_written.name, content)

    def changed_grades(self) -> tuple[str, str] | None:
        """grades.csv as it was written and as it is found, if the two differ."""
        try:
            written, found = (
                path.read_text(encoding="utf-8-sig", errors="replace")
                for path in (self._as_written, self.folder / "grades.csv")
            )
        except OSError:
            return None
        return (written, found) if written != found else None

    @property
    def _regraded(self) -> Path:
        return self.folder / ".regraded"

    def regraded(self) -> set[str]:
        """The submissions that an interrupted regrading had finished."""
        with contextlib.suppress(OSError):
            return set(self._regraded.read_text(encoding="utf-8").split("\n"))
        return set()

    def note_regraded(self, key: str) -> None:
        """Note that a regrading has finished a submission."""
        with self._regraded.open("a", encoding="utf-8") as stream:
            stream.write(f"\n{key}\n")

    def end_regrading(self) -> None:
        """Note that the regrading has finished all submissions."""
        self._regraded.unlink(missing_ok=True)
