"""Finding the files of a class in a folder or a zip that nobody should trust.

Nothing is followed out of the given folder, and nothing of an archive is written under a name of its own:
notebooks go to numbered files of a spool folder. What cannot be read is found too, with the reason.
"""

import itertools
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from autograder.judging.notebook import MAX_NOTEBOOK
from autograder.judging.results import presentable

MAX_ARCHIVE = 100 << 20
MAX_DIRECTORY = 4 << 20
MAX_UNPACKED = 200 << 20
MAX_NOTEBOOKS = 100
MAX_ARCHIVES = 3
MAX_DEPTH = 16
NO_NOTEBOOK = "is not a notebook (.ipynb)"
SKIPPED = ("__MACOSX", "__pycache__")
# RuntimeError: what is encrypted, or compressed by other means
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


@dataclass(frozen=True)
class FoundFile:
    """A file of a student, or the ``problem`` that keeps it from being read.

    ``place`` are the names below the root, as the instructor or a course platform gave them; ``inside`` is
    the name within the student's own archive. ``modified`` is the time of the outermost file: of the entry in
    a class archive (without a zone), or of the file itself.
    """

    place: tuple[str, ...]
    inside: str = ""
    path: Path | None = None
    problem: str = ""
    modified: datetime | None = None
    from_archive: bool = False

    @property
    def label(self) -> str:
        """The place of the file as messages name it."""
        return "/".join(filter(None, (*self.place, self.inside)))


class Refused(ValueError):
    """A file that is not read, with the reason."""


@dataclass
class Finder:
    """Finds the files below a folder, or in a zip; ``spool`` is an empty folder for what is unpacked."""

    spool: Path
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def find(self, root: Path) -> list[FoundFile]:
        """Find the files below a folder, or in a zip."""
        if root.is_dir():
            return list(self._folder(root, ()))
        if root.suffix.lower() == ".zip":
            return list(self._class_archive(root))
        return [FoundFile((presentable(root.name, ""),), path=root, modified=_modified(root.stat()))]

    def _folder(self, folder: Path, place: tuple[str, ...]) -> Iterator[FoundFile]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield FoundFile(place, problem=f"the folder cannot be read: {error.strerror}")
            return
        for entry in entries:
            here = (*place, presentable(entry.name, ""))
            if entry.name.startswith(".") or entry.name in SKIPPED:
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError as error:
                yield FoundFile(here, problem=f"cannot be read: {error.strerror}")
                continue
            time, path = _modified(status), Path(entry.path)
            if stat.S_ISLNK(status.st_mode):
                yield FoundFile(here, problem="is a symbolic link, which is not followed", modified=time)
            elif stat.S_ISDIR(status.st_mode):
                if len(here) > MAX_DEPTH:
                    yield FoundFile(here, problem="is nested too deep")
                else:
                    yield from self._folder(path, here)
            elif not stat.S_ISREG(status.st_mode):
                yield FoundFile(here, problem="is not a regular file", modified=time)
            elif path.suffix.lower() == ".zip":
                yield from self._own_archive(path, FoundFile(here, modified=time))
            elif path.suffix.lower() == ".ipynb":
                yield FoundFile(here, path=path, modified=time)
            elif place:
                yield FoundFile(here, problem=NO_NOTEBOOK, modified=time)

    def _class_archive(self, path: Path) -> Iterator[FoundFile]:
        """The entries of an archive that a course platform, or the instructor, made."""
        with zipfile.ZipFile(path) as archive:
            for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
                parts, problem = _parts(entry)
                if not parts or entry.is_dir() or _is_skipped(parts):
                    continue
                found = FoundFile(parts, problem=problem, modified=_entry_time(entry), from_archive=True)
                suffix = PurePosixPath(parts[-1]).suffix.lower()
                if problem:
                    yield found
                elif suffix == ".ipynb":
                    yield self._unpacked(archive, entry, found, MAX_NOTEBOOK)
                elif suffix == ".zip":
                    inner = self._unpacked(archive, entry, found, MAX_ARCHIVE)
                    if inner.path is None:
                        yield inner
                    else:
                        yield from self._own_archive(inner.path, found)
                        inner.path.unlink()
                elif len(parts) > 1:
                    yield FoundFile(parts, problem=NO_NOTEBOOK, modified=found.modified, from_archive=True)

    def _own_archive(self, path: Path, outer: FoundFile) -> Iterator[FoundFile]:
        """The notebooks of an archive that a student made; one problem for what is wrong with all of it."""
        found: list[FoundFile] = []
        try:
            self._collect(path, outer, "", found, depth=1)
        except Refused as error:
            yield replace(outer, problem=str(error))
        except UNREADABLE as error:
            yield replace(outer, problem=f"is not a zip archive that can be read ({_told(error)})")
        else:
            if not found:
                yield replace(outer, problem="is an archive without a notebook")
            yield from found
            return
        for file in found:
            if file.path is not None:
                file.path.unlink()

    def _collect(self, path: Path, outer: FoundFile, before: str, found: list[FoundFile], depth: int) -> None:
        if depth > MAX_ARCHIVES:
            raise Refused(f"holds archives within archives, more than {MAX_ARCHIVES} deep")
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                parts, problem = _parts(entry)
                if not parts or entry.is_dir() or _is_skipped(parts):
                    continue
                name = before + "/".join(parts)
                file = replace(outer, inside=name, problem=problem)
                suffix = PurePosixPath(parts[-1]).suffix.lower()
                if suffix not in (".ipynb", ".zip"):
                    continue
                if len(found) == MAX_NOTEBOOKS:
                    raise Refused(f"holds more than {MAX_NOTEBOOKS} notebooks")
                if sum(f.path.stat().st_size for f in found if f.path is not None) > MAX_UNPACKED:
                    raise Refused(f"unpacks to more than {MAX_UNPACKED >> 20} MB")
                if problem:
                    found.append(file)
                elif suffix == ".ipynb":
                    found.append(self._unpacked(archive, entry, file, MAX_NOTEBOOK))
                else:
                    inner = self._unpacked(archive, entry, file, MAX_ARCHIVE)
                    if inner.path is None:
                        found.append(inner)
                        continue
                    try:
                        self._collect(inner.path, outer, f"{name}/", found, depth + 1)
                    finally:
                        inner.path.unlink()

    def _unpacked(
        self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, found: FoundFile, limit: int
    ) -> FoundFile:
        try:
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Refused("is compressed in a way that zip files seldom use; make the archive again")
            with archive.open(entry) as stream:
                content = stream.read(limit + 1)
            if len(content) > limit:
                raise Refused(f"is larger than {limit >> 20} MB")
            path = self.spool / f"{next(self._numbers):06d}"
            path.write_bytes(content)
        except Refused as error:
            return replace(found, problem=str(error))
        except UNREADABLE as error:
            return replace(found, problem=f"cannot be unpacked ({_told(error)})")
        return replace(found, path=path)


def _told(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _modified(status: os.stat_result) -> datetime:
    return datetime.fromtimestamp(int(status.st_mtime), UTC)


def _entry_time(entry: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*entry.date_time)
    except ValueError:
        return None


def _is_skipped(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") or part in SKIPPED for part in parts)


def _parts(entry: zipfile.ZipInfo) -> tuple[tuple[str, ...], str]:
    """The names of an entry's path, and why it is not read."""
    names = presentable(entry.filename.replace("\\", "/"), "")
    raw = [part for part in names.split("/") if part not in ("", ".")]
    inner = tuple(part for part in raw if part != ".." and not part.endswith(":"))
    if names.startswith("/") or len(inner) < len(raw):
        return inner, f"the archive would write it outside of its folder ({names[:80]})"
    if len(inner) > MAX_DEPTH or len(names) > 1000:
        return inner[:MAX_DEPTH], "is nested too deep"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return inner, "is a symbolic link, which is not followed"
    return inner, ""


def _check_directory(path: Path) -> None:
    """Refuse an archive whose list of entries is absurd, before it is read."""
    if path.stat().st_size > MAX_ARCHIVE:
        raise Refused(f"is larger than {MAX_ARCHIVE >> 20} MB")
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - 65_600))
        tail = stream.read()
    end = tail.rfind(b"PK\5\6")
    if end < 0 or len(tail) < end + 22:
        raise Refused("is not a zip archive, or a part of one is missing")
    if int.from_bytes(tail[end + 12 : end + 16], "little") > MAX_DIRECTORY or b"PK\6\7" in tail[:end]:
        raise Refused("lists more entries than a submission has")
