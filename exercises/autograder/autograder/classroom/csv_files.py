"""CSV files: those that an instructor writes, and those for a spreadsheet."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from autograder.authoring.spec import SpecificationError
from autograder.judging.results import presentable

SEPARATOR = re.compile(r'\A"?sep=(.)"?[,;\t ]*(?=\r|\n|\Z)', re.IGNORECASE)
FORMULA = frozenset("=+-@\N{MINUS SIGN}")


class TableError(SpecificationError):
    """A table or an option that an instructor gave and that cannot be used; the message says why."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """': did you mean ada?' or ''."""
    lower = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), lower, n=1, cutoff=0.6)
    return f"; did you mean {lower[close[0]]!r}?" if close else ""


def listed(texts: Iterable[str], most: int = 10) -> str:
    """The first of the texts, each once, and how many more there are."""
    each = list(dict.fromkeys(texts))
    return ", ".join(each[:most]) + (f" and {len(each) - most} more" if len(each) > most else "")


def split_off(text: str) -> tuple[str, str]:
    """The text of a CSV file without a first line such as ``sep=;``, and what parts its fields."""
    if told := SEPARATOR.match(text):
        return text[told.end() :], told[1]
    return text, max(",;\t", key=text.partition("\n")[0].count)


def title(text: str) -> str:
    """A column's title as titles are compared: without case, blanks, hyphens and the s of a plural."""
    letters = "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
    return letters.removesuffix("s")


def read_rows(path: Path) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The titles of a CSV file, and its rows, as long as the titles, each with its place.

    Rows without a word are left out. A place is such as ('roster.csv, line 3').
    """
    try:
        content = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TableError(f"{path}: is not UTF-8 text; save it as 'CSV UTF-8'") from None
    text, delimiter = split_off(content)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[str, list[str]]] = []
    titles: list[str] = []
    try:
        for fields in reader:
            where = f"{path.name}, line {reader.line_num}"
            if not any(field.strip() for field in fields):
                continue
            if not titles:
                titles = [field.strip() for field in fields]
                continue
            if len(fields) > len(titles) and any(fields[len(titles) :]):
                raise TableError(f"{where}: has {len(fields)} fields, the header {len(titles)}")
            fields = [field.strip() for field in fields[: len(titles)]]
            rows.append((where, fields + [""] * (len(titles) - len(fields))))
    except csv.Error as error:
        raise TableError(f"{path.name}, line {reader.line_num}: {error}") from None
    return titles, rows


def read_table(
    path: Path, required: Sequence[str], optional: Sequence[str]
) -> list[tuple[str, dict[str, str]]]:
    """The rows of a CSV file with a header, each with its place ('roster.csv, line 3')."""
    titles, rows = read_rows(path)
    columns = (*required, *optional)
    if not titles:
        raise TableError(f"{path}: is empty; its first line should be {','.join(columns)}")
    names = [title(text) for text in titles]
    for name in required:
        if title(name) not in names:
            told = did_you_mean(name, titles)
            raise TableError(
                f"{path}: has no column {name!r}{told}; its header should hold {', '.join(columns)}"
            )
    places: dict[str, int] = {}
    for name in columns:
        if names.count(title(name)) > 1:
            raise TableError(f"{path}: has the column {name!r} twice")
        if title(name) in names:
            places[name] = names.index(title(name))
    table = []
    for where, fields in rows:
        row = {name: fields[places[name]] if name in places else "" for name in columns}
        if empty := [name for name in required if not row[name]]:
            raise TableError(f"{where}: the column {empty[0]!r} is empty")
        table.append((where, row))
    return table


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
