"""Finding the files of a class in a folder or a zip that nobody should trust.

Nothing is followed out of the given folder, and nothing is unpacked here. What cannot be read is found too:
with the ``problem`` that the file has, or the ``trouble`` that the grader had with it.
"""

import contextlib
import errno
import os
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from autograder.classroom.times import YEARS
from autograder.judging.results import presentable

MAX_DEPTH = 16
MAX_PATH_BYTES = 1000
MAX_SHOWN = 200
NO_NOTEBOOK = "is not a notebook (.ipynb)"
SAYS_UTF_8 = 0x800
SKIPPED = ("__MACOSX", "__pycache__")
# what the bytes of a file can bring about: a seek to before its beginning
OF_THE_FILE = (None, errno.EINVAL)


def is_trouble(error: BaseException) -> bool:
    """Whether the grader's machine failed (full disk, no descriptors or memory), and not the file."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno not in OF_THE_FILE)


def told(error: BaseException) -> str:
    """What an error says, in one short line."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(reason.split())[:MAX_SHOWN] or type(error).__name__


def clipped(text: str) -> str:
    """The text, cut in the middle where it is long."""
    half = MAX_SHOWN // 2
    return text if len(text) <= MAX_SHOWN else f"{text[:half]}...{text[-half:]}"


@dataclass(frozen=True)
class FoundFile:
    """A file of a student; ``problem`` keeps it from being read, ``trouble`` is the grader's own.

    ``place`` are the names below the root, as the instructor or a course platform gave them; ``inside`` is
    the name within the student's own archive. ``entry`` is its place in a class archive. ``modified`` is the
    time of the outermost file: of the entry in a class archive (without a zone), or of the file itself;
    ``inside_modified`` is that of the entry in the student's own archive (without a zone).
    """

    place: tuple[str, ...]
    inside: str = ""
    path: Path | None = None
    problem: str = ""
    trouble: str = ""
    modified: datetime | None = None
    entry: zipfile.ZipInfo | None = None
    inside_modified: datetime | None = None

    @property
    def label(self) -> str:
        """The place of the file as messages name it."""
        return clipped("/".join(filter(None, (*self.place, self.inside))))

    @property
    def suffix(self) -> str:
        """The end of the outermost file's name, such as ``.zip``."""
        return PurePosixPath(self.place[-1]).suffix.lower()


def find(root: Path) -> list[FoundFile]:
    """Find the files below a folder, or in a zip."""
    if root.is_dir():
        return list(_entries(root, ()))
    if root.suffix.lower() == ".zip":
        return list(_class_archive(root))
    return [FoundFile((presentable(root.name, ""),), path=root, modified=_modified(root.stat()))]


def _folder(folder: Path, place: tuple[str, ...]) -> Iterator[FoundFile]:
    try:
        yield from _entries(folder, place)
    except OSError as error:
        yield FoundFile(place, trouble=f"the folder cannot be read: {told(error)}")


def _entries(folder: Path, place: tuple[str, ...]) -> Iterator[FoundFile]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        here = (*place, presentable(entry.name, ""))
        if entry.name.startswith(".") or entry.name in SKIPPED:
            continue
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            yield FoundFile(here, trouble=f"cannot be read: {told(error)}")
            continue
        time, path = _modified(status), Path(entry.path)
        file = FoundFile(here, path=path, modified=time)
        if stat.S_ISLNK(status.st_mode):
            yield FoundFile(here, problem="is a symbolic link, which is not followed", modified=time)
        elif stat.S_ISDIR(status.st_mode):
            if len(here) > MAX_DEPTH:
                yield FoundFile(here, problem="is nested too deep")
            else:
                yield from _folder(path, here)
        elif not stat.S_ISREG(status.st_mode):
            yield FoundFile(here, problem="is not a regular file", modified=time)
        elif file.suffix in (".ipynb", ".zip"):
            yield file
        else:
            yield replace(file, problem=NO_NOTEBOOK)


def _class_archive(path: Path) -> Iterator[FoundFile]:
    """The entries of an archive that a course platform, or the instructor, made."""
    with zipfile.ZipFile(path) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            place, problem = parts_of(entry)
            if not place or is_folder(entry) or is_skipped(place):
                continue
            file = FoundFile(place, problem=problem, modified=entry_time(entry), entry=entry)
            if problem or file.suffix in (".ipynb", ".zip"):
                yield file
            else:
                yield replace(file, problem=NO_NOTEBOOK)


def is_folder(entry: zipfile.ZipInfo) -> bool:
    """Whether an entry is a folder; some programs on Windows end its name with a backslash."""
    return entry.is_dir() or entry.filename.endswith("\\")


def _name(entry: zipfile.ZipInfo) -> str:
    """The name of an entry; macOS writes it in UTF-8 without saying so, and Python then reads cp437."""
    if not entry.flag_bits & SAYS_UTF_8:
        with contextlib.suppress(UnicodeError):
            return entry.filename.encode("cp437").decode("utf-8")
    return entry.filename


def parts_of(entry: zipfile.ZipInfo) -> tuple[tuple[str, ...], str]:
    """The names of an entry's path, and why it is not read."""
    names = presentable(_name(entry).replace("\\", "/"), "")
    raw = [part for part in names.split("/") if part not in ("", ".")]
    inner = tuple(part for part in raw if part != ".." and not part.endswith(":"))
    if names.startswith("/") or len(inner) < len(raw):
        return inner, f"the archive would write it outside of its folder ({names[:80]})"
    if len(inner) > MAX_DEPTH:
        return inner[:MAX_DEPTH], "is nested too deep"
    if len(names.encode()) > MAX_PATH_BYTES:
        return inner, f"has a name of more than {MAX_PATH_BYTES} bytes"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return inner, "is a symbolic link, which is not followed"
    return inner, ""


def is_skipped(parts: tuple[str, ...]) -> bool:
    """Whether a path leads to what systems and editors leave behind."""
    return any(part.startswith(".") or part in SKIPPED for part in parts)


def _modified(status: os.stat_result) -> datetime | None:
    try:
        return _sensible(datetime.fromtimestamp(int(status.st_mtime), UTC))
    except (OverflowError, ValueError, OSError):
        return None


def entry_time(entry: zipfile.ZipInfo) -> datetime | None:
    """When an entry of an archive was changed, on a clock without a zone; None if that cannot be told."""
    try:
        return _sensible(datetime(*entry.date_time))
    except ValueError:
        return None


def _sensible(time: datetime) -> datetime | None:
    """The time, if it can be told in every zone and compared with a deadline."""
    return time if time.year in YEARS else None
