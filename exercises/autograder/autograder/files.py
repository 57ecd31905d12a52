"""Files: written whole or not at all, read by patterns, and put into zips that are the same everywhere."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

Files = dict[str, bytes]


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file or nothing."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a whole file or nothing."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_if_changed(path: Path, content: str | bytes) -> None:
    """Write a whole file, unless it already has this content."""
    new = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    if not path.is_file() or path.read_bytes() != new:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, new)


def read_files(folder: Path, patterns: Iterable[str], under: str = "") -> Files:
    """Read the files of ``folder`` that match, by their names in a kit."""
    found = [path for pattern in patterns for path in folder.glob(pattern) if path.is_file()]
    prefix = f"{under}/" if under else ""
    return {f"{prefix}{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}


def zip_bytes(files: Mapping[str, bytes], folder: str = "", executable: Iterable[str] = ()) -> bytes:
    """Make a zip that is the same bytes everywhere: in order, without dates, and not compressed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{folder}/{name}" if folder else name)
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in executable else 0o100644) << 16
            made.writestr(entry, files[name])
    return stream.getvalue()
