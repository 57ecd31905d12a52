"""CSV files: those that an instructor writes, and those for a spreadsheet."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from autograder.authoring.spec import SpecificationError
from autograder.judging.results import presentable

FORMULA = frozenset("=+-@\N{MINUS SIGN}")


class TableError(SpecificationError):
    """A table or an option that an instructor gave and that cannot be used; the message says why."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """': did you mean ada?' or ''."""
    lower = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), lower, n=1, cutoff=0.6)
    return f"; did you mean {lower[close[0]]!r}?" if close else ""


def delimiter_of(text: str) -> str:
    """What parts the fields of a CSV file: a comma, a semicolon or a tabulator."""
    return max(",;\t", key=text.partition("\n")[0].count)


def read_table(
    path: Path, required: Sequence[str], optional: Sequence[str]
) -> list[tuple[str, dict[str, str]]]:
    """The rows of a CSV file with a header, each with its place ('roster.csv, line 3')."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TableError(f"{path}: is not UTF-8 text; save it as 'CSV UTF-8'") from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    rows: list[tuple[str, dict[str, str]]] = []
    names: list[str] = []
    try:
        for fields in reader:
            where = f"{path.name}, line {reader.line_num}"
            if not any(field.strip() for field in fields):
                continue
            if not names:
                names = [field.strip().casefold() for field in fields]
                _check_header(path, names, required, optional)
                continue
            if len(fields) > len(names) and any(fields[len(names) :]):
                raise TableError(f"{where}: has {len(fields)} fields, the header {len(names)}")
            row = {name: field.strip() for name, field in zip(names, fields)}
            row = {name: row.get(name, "") for name in (*required, *optional)}
            if empty := [name for name in required if not row[name]]:
                raise TableError(f"{where}: the column {empty[0]!r} is empty")
            rows.append((where, row))
    except csv.Error as error:
        raise TableError(f"{path.name}, line {reader.line_num}: {error}") from None
    if not names:
        raise TableError(f"{path}: is empty; its first line should be {','.join((*required, *optional))}")
    return rows


def _check_header(path: Path, names: list[str], required: Sequence[str], optional: Sequence[str]) -> None:
    for name in required:
        if name not in names:
            told = did_you_mean(name, names)
            header = ", ".join((*required, *optional))
            raise TableError(f"{path}: has no column {name!r}{told}; its header should hold {header}")
    for name in (*required, *optional):
        if names.count(name) > 1:
            raise TableError(f"{path}: has the column {name!r} twice")


def csv_text(rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> str:
    """A CSV file as text, every cell in quotes. What a spreadsheet would run gets an apostrophe before it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow([_cell(column) for column in columns])
    writer.writerows([_cell(row.get(column, "")) for column in columns] for row in rows)
    return out.getvalue()


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return ("'" if isinstance(value, str) and _runs(text) else "") + presentable(text.replace("\r", " "))


def _runs(text: str) -> bool:
    """Whether a spreadsheet may take the text for a formula; full-width signs and hidden letters count."""
    if text[:1] in ("\t", "\r", "\n"):
        return True
    shown = (c for c in text if not c.isspace() and unicodedata.category(c) not in ("Cc", "Cf"))
    return unicodedata.normalize("NFKC", next(shown, " "))[:1] in FORMULA
