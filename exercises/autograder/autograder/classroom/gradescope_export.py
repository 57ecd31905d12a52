"""Gradescope's export of submissions: numbered folders, and a file beside them that says whose they are.

The file is YAML, of which this reads only what Gradescope writes: one entry for each folder, with a list of
submitters, who share the hand-in, and a time. Everything else in it, such as results, is left alone.
"""

import json
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from autograder.classroom.archives import FoundFile
from autograder.classroom.csv_files import TableError
from autograder.classroom.names import Owner
from autograder.classroom.times import YEARS

GRADESCOPE_FOLDER = re.compile("submission_[0-9]+")
METADATA = "submission_metadata.yml"
MAX_METADATA = 200 << 20
FOLDER = re.compile(r"""["']?:?["']?(submission_[0-9]+)["']?:\s*""")
KEY = re.compile(r"( *)(- +)?:?([a-z_]+):(?: +(.*))?")
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? *(Z|UTC|[+-]\d\d:?\d\d)")


@dataclass(frozen=True)
class Export:
    """The owners of each folder of the export, and its files, with places that begin with these folders."""

    owners: dict[str, list[Owner]]
    files: list[FoundFile]


def gradescope_export(root: Path, files: Sequence[FoundFile]) -> Export | None:
    """What Gradescope exported, if its file lies beside all of the others: no student's folder holds them."""
    beside = next((file for file in files if file.place[-1:] == (METADATA,)), None)
    if beside is None or beside.problem == "" or len(beside.place) > 2:
        return None
    before = beside.place[:-1]
    others = [file for file in files if file is not beside]
    if any(file.place[: len(before)] != before or len(file.place) == len(before) for file in others):
        return None
    owners = parse_metadata(_content(root, beside))
    if not owners:
        raise TableError(f"{beside.label}: names no submitters as Gradescope's exports do")
    return Export(owners, [replace(file, place=file.place[len(before) :]) for file in others])


def _content(root: Path, file: FoundFile) -> str:
    try:
        if file.entry is not None:
            with zipfile.ZipFile(root) as archive, archive.open(file.entry) as stream:
                content = stream.read(MAX_METADATA + 1)
        else:
            assert file.path is not None
            with file.path.open("rb") as stream:
                content = stream.read(MAX_METADATA + 1)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise TableError(f"{file.label}: cannot be read: {error}") from None
    if len(content) > MAX_METADATA:
        raise TableError(f"{file.label}: is larger than {MAX_METADATA >> 20} MB")
    return content.decode("utf-8-sig", "replace")


def parse_metadata(text: str) -> dict[str, list[Owner]]:
    """The submitters by folder."""
    people: dict[str, list[dict[str, str]]] = {}
    times: dict[str, datetime | None] = {}
    folder, section, inner = "", "", 0
    for line in text.replace("\r\n", "\n").split("\n"):
        if found := FOLDER.fullmatch(line):
            folder, section, inner = found[1], "", 0
            people[folder] = []
            continue
        key = KEY.fullmatch(line)
        if not folder or key is None:
            continue
        indent, is_item, name, value = len(key[1]), bool(key[2]), key[3], _scalar(key[4] or "")
        inner = inner or indent
        if indent == inner and not is_item:
            section = name
            if name == "created_at":
                times[folder] = _time(value)
        elif section == "submitters" and (is_item or people[folder]):
            if is_item:
                people[folder].append({})
            people[folder][-1].setdefault(name, value)
    return {
        folder: [
            Owner(
                one.get("name", "") or one.get("email", "") or folder,
                account=one.get("sid", ""),
                email=one.get("email", ""),
                submitted=times.get(folder),
                source="submission_metadata.yml",
            )
            for one in ones
        ]
        for folder, ones in people.items()
        if ones
    }


def _scalar(text: str) -> str:
    """A value of one line, whose quotes are YAML's."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(re.sub(r"\\x([0-9A-Fa-f]{2})", r"\\u00\1", text)))
        except ValueError:
            return text[1:-1]
    return "" if text in ("~", "null", "|", ">") else text


def _time(text: str) -> datetime | None:
    found = TIME.fullmatch(text)
    if not found:
        return None
    try:
        offset = "+00:00" if found[3] in ("Z", "UTC") else found[3]
        time = datetime.fromisoformat(f"{found[1]}T{found[2]}{offset}")
    except ValueError:
        return None
    return time if time.year in YEARS else None
