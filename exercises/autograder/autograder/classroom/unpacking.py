"""Opening what a student handed in, within one budget for all of it.

Nothing of an archive is written under a name of its own: notebooks go to numbered files of a spool folder.
What an archive holds or claims makes it a ``problem``; what the grader's machine fails at, ``trouble``.
"""

import itertools
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from types import TracebackType

from autograder.classroom.archives import (
    FoundFile,
    entry_time,
    is_folder,
    is_skipped,
    is_trouble,
    parts_of,
    told,
)
from autograder.judging.notebook import MAX_NOTEBOOK

MAX_ARCHIVE = 100 << 20
MAX_DEPTH = 3
PIECE = 1 << 20
LOCAL_HEADER = 30
# what an archive calls what a program piped into it
STANDARD_INPUT = "-"
END, END_64, LOCATOR_64 = b"PK\5\6", b"PK\6\6", b"PK\6\7"


class Refused(ValueError):
    """A file that is not read, with the reason."""


class UsedUp(Refused):
    """The submission has no more budget for this file, whatever is in it."""


@dataclass
class Budget:
    """What all the files of one submission may use together; ``seconds`` are of processor time."""

    unpacked: int = 200 << 20
    notebooks: int = 100
    archives: int = 20
    entries: int = 20_000
    listing: int = 4 << 20
    seconds: float = 60.0
    clock: Callable[[], float] = time.thread_time
    _used: dict[str, float] = field(default_factory=dict)

    def use(self, name: str, amount: float, told: str) -> None:
        """Use some of ``name``; UsedUp, with what is told of the submission, where there is not so much."""
        self._used[name] = self._used.get(name, 0) + amount
        if self._used[name] > getattr(self, name):
            raise UsedUp(f"the submission {told}")

    def use_bytes(self, count: int) -> None:
        """Use bytes of what is unpacked or read."""
        self.use("unpacked", count, f"unpacks to more than {self.unpacked >> 20} MB")

    def use_notebook(self) -> None:
        """Use one notebook."""
        self.use("notebooks", 1, f"holds more than {self.notebooks} notebooks")

    def use_archive(self, path: Path) -> None:
        """Use one archive and the list of its entries, before that is read."""
        self.use("archives", 1, f"holds more than {self.archives} archives")
        self.use("listing", _listing(path), "lists more entries than a submission has")

    def use_time(self, since: float) -> float:
        """Use the time since then; the time now."""
        now = self.clock()
        self.use("seconds", now - since, f"takes more than {self.seconds:g} seconds to unpack")
        return now


@dataclass
class Opener:
    """Opens files found at ``root``. Use it as a context manager; ``spool`` is an empty folder."""

    root: Path
    spool: Path
    _archive: zipfile.ZipFile | None = None
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def __enter__(self) -> "Opener":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._archive is not None:
            self._archive.close()

    def opened(self, file: FoundFile, budget: Budget) -> list[FoundFile]:
        """The notebooks that a file is or holds; one file with a problem or trouble for what is wrong."""
        if file.problem or file.trouble:
            return [file]
        found: list[FoundFile] = []
        try:
            if file.suffix == ".zip":
                return self._held(file, budget, found)
            budget.use_notebook()
            if file.entry is not None:
                return [replace(file, path=self._unpacked(self._class(), file.entry, MAX_NOTEBOOK, budget))]
            assert file.path is not None
            budget.use_bytes(min(file.path.lstat().st_size, MAX_NOTEBOOK))
            return [file]
        except Exception as error:  # an archive can bring about any error, and none may stop the run
            self.discard(found)
            if is_trouble(error):
                return [replace(file, path=None, trouble=f"cannot be unpacked: {told(error)}")]
            problem = told(error) if isinstance(error, Refused) else _unreadable(file, error)
            return [replace(file, path=None, problem=problem)]

    def discard(self, files: list[FoundFile]) -> None:
        """Remove what was unpacked for these files."""
        for file in files:
            if file.path is not None and file.path.parent == self.spool:
                file.path.unlink(missing_ok=True)

    def _class(self) -> zipfile.ZipFile:
        self._archive = self._archive or zipfile.ZipFile(self.root)
        return self._archive

    def _held(self, file: FoundFile, budget: Budget, found: list[FoundFile]) -> list[FoundFile]:
        """The notebooks of an archive that a student made."""
        if file.entry is None:
            assert file.path is not None
            self._collect(file.path, replace(file, path=None), "", found, budget, depth=1)
        else:
            path = self._unpacked(self._class(), file.entry, MAX_ARCHIVE, budget)
            try:
                self._collect(path, file, "", found, budget, depth=1)
            finally:
                path.unlink()
        if not found:
            raise Refused("is an archive without a notebook")
        return found

    def _collect(
        self, path: Path, outer: FoundFile, before: str, found: list[FoundFile], budget: Budget, depth: int
    ) -> None:
        if depth > MAX_DEPTH:
            raise Refused(f"holds archives within archives, more than {MAX_DEPTH} deep")
        started = budget.clock()
        budget.use_archive(path)
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            budget.use("entries", len(entries), "lists more entries than a submission has")
            budget.use_time(started)
            _check_apart(archive)
            for entry in entries:
                parts, problem = parts_of(entry)
                if not parts or is_folder(entry) or is_skipped(parts):
                    continue
                name = before + "/".join(parts)
                suffix = PurePosixPath(parts[-1]).suffix.lower()
                is_notebook = suffix == ".ipynb" or entry.filename == STANDARD_INPUT
                if not is_notebook and suffix != ".zip":
                    continue
                if is_notebook or problem:
                    budget.use_notebook()
                    found.append(self._notebook(archive, entry, outer, name, problem, budget))
                    continue
                inner = self._unpacked(archive, entry, MAX_ARCHIVE, budget)
                try:
                    self._collect(inner, outer, f"{name}/", found, budget, depth + 1)
                finally:
                    inner.unlink()

    def _notebook(
        self,
        archive: zipfile.ZipFile,
        entry: zipfile.ZipInfo,
        outer: FoundFile,
        name: str,
        problem: str,
        budget: Budget,
    ) -> FoundFile:
        """A notebook of a student's archive; what is wrong with it alone is its own problem."""
        time = entry_time(entry)
        file = replace(outer, inside=name, problem=problem, entry=None, inside_modified=time)
        if problem:
            return file
        try:
            return replace(file, path=self._unpacked(archive, entry, MAX_NOTEBOOK, budget))
        except Exception as error:
            if is_trouble(error) or isinstance(error, UsedUp):
                raise
            problem = told(error) if isinstance(error, Refused) else f"cannot be unpacked ({told(error)})"
            return replace(file, problem=problem)

    def _unpacked(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int, budget: Budget) -> Path:
        """A numbered file with an entry's bytes, no more than ``most``."""
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Refused("is compressed in a way that zip files seldom use; make the archive again")
        path, size, started = self.spool / f"{next(self._numbers):06d}", 0, budget.clock()
        try:
            with archive.open(entry) as stream, path.open("wb") as out:
                while piece := stream.read(min(PIECE, most + 1 - size)):
                    size += len(piece)
                    if size > most:
                        raise Refused(f"is larger than {most >> 20} MB")
                    budget.use_bytes(len(piece))
                    started = budget.use_time(started)
                    out.write(piece)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path


def _unreadable(file: FoundFile, error: Exception) -> str:
    if file.suffix == ".zip":
        return f"is not a zip archive that can be read ({told(error)})"
    return f"cannot be unpacked ({told(error)})"


def _listing(path: Path) -> int:
    """The bytes of an archive's list of entries, as its end tells them."""
    size = path.stat().st_size
    if size > MAX_ARCHIVE:
        raise Refused(f"is larger than {MAX_ARCHIVE >> 20} MB")
    with path.open("rb") as stream:
        stream.seek(max(0, size - 65_600))
        tail = stream.read()
        end = tail.rfind(END)
        if end < 0 or len(tail) < end + 22:
            raise Refused("is not a zip archive, or a part of one is missing")
        sizes = [int.from_bytes(tail[end + 12 : end + 16], "little")]
        locator = tail[end - 20 : end] if end >= 20 else b""
        if locator.startswith(LOCATOR_64):  # cloud drives and programs that stream write a second end
            before_locator = max(0, size - len(tail)) + end - 20
            for place in (before_locator - 56, int.from_bytes(locator[8:16], "little")):
                if 0 <= place < size:
                    stream.seek(place)
                    record = stream.read(56)
                    if record.startswith(END_64):
                        sizes.append(int.from_bytes(record[40:48], "little"))
    told_64 = len(sizes) > 1 and sizes[0] == 0xFFFFFFFF
    return max(sizes[1:] if told_64 else sizes)


def _check_apart(archive: zipfile.ZipFile) -> None:
    """Refuse an archive in which entries share bytes, as they do in zip bombs."""
    end = 0
    for entry in sorted(archive.infolist(), key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise Refused("has entries that share their bytes, as zip bombs do")
        end = entry.header_offset + LOCAL_HEADER + entry.compress_size
    if end > archive.start_dir:
        raise Refused("has an entry that goes on behind its end")
