"""Files are written whole or not at all, and a folder in which none could be written is refused."""

import errno
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from transformer_lib.training import files
from transformer_lib.training.files import check_folder, replace_whole, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_with_its_folders_and_replaces_what_stood_there(tmp_path: Path) -> None:
    path = tmp_path / "records" / "today" / "a.json"
    assert write_atomically(path, b"first") == path
    write_atomically(path, b"second, longer")
    assert path.read_bytes() == b"second, longer"
    assert names(path.parent) == ["a.json"]


@pytest.mark.parametrize("trouble", [OSError(errno.ENOSPC, "no space left"), KeyboardInterrupt()])
def test_a_writer_that_fails_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, trouble: BaseException
) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"old")

    def write(temporary: Path) -> None:
        temporary.write_bytes(b"ne")
        raise trouble

    with pytest.raises(type(trouble)):
        replace_whole(path, write)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["weights.bin"]


def test_the_content_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, path = [], tmp_path / "weights.bin"
    monkeypatch.setattr(os, "fsync", lambda _: done.append(path.exists()))
    write_atomically(path, b"new")
    assert done == [False]


@pytest.mark.parametrize(("readings", "content"), [(2, b"new"), (3, b"old")])
def test_who_reads_a_file_on_windows_is_waited_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, readings: int, content: bytes
) -> None:
    path, replace, tries = write_atomically(tmp_path / "weights.bin", b"old"), Path.replace, []

    def open_elsewhere(temporary: Path, target: Path) -> Path:
        tries.append(target)
        if len(tries) <= readings:
            raise PermissionError(errno.EACCES, "the file is being used by another process")
        return replace(temporary, target)

    monkeypatch.setattr(files, "WAITS", (0.0, 0.0))
    monkeypatch.setattr(Path, "replace", open_elsewhere)
    with nullcontext() if content == b"new" else pytest.raises(PermissionError, match="another process"):
        write_atomically(path, b"new")
    assert path.read_bytes() == content
    assert names(tmp_path) == ["weights.bin"]


def test_a_folder_is_refused_where_a_file_is_in_its_place_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("a file")
    for folder in (tmp_path / "notes", tmp_path / "notes" / "run" / "1"):
        with pytest.raises(ValueError, match=r"cannot be a folder, for .*notes is a file"):
            check_folder(folder)
    check_folder(tmp_path / "new" / "run")
    assert names(tmp_path) == ["notes"]


def test_a_folder_that_may_not_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda place, mode: place != tmp_path)
    with pytest.raises(ValueError, match="cannot be written to"):
        check_folder(tmp_path / "new" / "run")
