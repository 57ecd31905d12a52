"""The marked cells of a student's notebook, and reading them from a file that nobody should trust."""

import ast
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.source import mark_of, without_magics

MAX_NOTEBOOK = 50 << 20
MAX_CELL = 200_000
MAX_LISTS = 1_000_000
MAX_REPEATED = 100


class NotebookError(ValueError):
    """A file that is not a notebook; the message says what it is."""


def same_code(one: str, other: str) -> bool:
    """Whether two cells differ only in comments and layout; none equals one that is too long to parse."""
    if max(len(one), len(other)) > MAX_CELL:
        return False
    try:
        return ast.dump(ast.parse(without_magics(one))) == ast.dump(ast.parse(without_magics(other)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return one.split() == other.split()


def last_answered(sources: Sequence[str], stub: str) -> str:
    """Of several cells with one mark the last one that is answered, among the last ``MAX_REPEATED``."""
    recent = reversed(sources[-MAX_REPEATED:])
    return next((source for source in recent if not same_code(source, stub)), sources[-1])


@dataclass(frozen=True)
class Submission:
    """The marked cells of a student's notebook, in order; ``code_cells`` counts all code cells with text."""

    setup: str | None
    answers: dict[str, list[str]]
    code_cells: int


def notebook_bytes(path: Path) -> bytes:
    """The bytes of a file that is no symbolic link, but no more than one beyond what a notebook may have."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as stream:
        return stream.read(MAX_NOTEBOOK + 1)


def parse_submission(content: bytes, name: str) -> Submission:
    """Read the bytes of a notebook file called ``name``."""
    if len(content) > MAX_NOTEBOOK:
        raise NotebookError(f"{name}: larger than {MAX_NOTEBOOK >> 20} MB")
    if content.count(b"[") + content.count(b"{") > MAX_LISTS:
        raise NotebookError(f"{name}: has more than {MAX_LISTS:,} brackets; clear its outputs")
    try:
        fields = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise NotebookError(
            f"{name}: is not UTF-8 text, so it is not a notebook (.ipynb); save it from Jupyter again"
        ) from None
    except (ValueError, RecursionError):
        raise NotebookError(
            f"{name}: is not JSON, so it is not a notebook (.ipynb); save it from Jupyter again"
        ) from None
    cells = _cells(fields) if isinstance(fields, dict) else None
    if not isinstance(cells, list):
        raise NotebookError(
            f"{name}: has no list of cells, so it is not a notebook of format 3 or 4; "
            "save it from Jupyter again"
        )
    return collect(_sources(cells))


def _cells(fields: dict[str, Any]) -> Any:
    """The cells of a notebook; in format 3 they are on worksheets."""
    sheets = fields.get("worksheets")
    if "cells" in fields or not isinstance(sheets, list):
        return fields.get("cells")
    lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells]


def _sources(cells: list[Any]) -> list[str]:
    sources = []
    for cell in cells:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input"))  # its name in format 3
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if isinstance(source, str) and source.strip():
            sources.append(source)
    return sources


def collect(sources: Sequence[str]) -> Submission:
    """Sort code cells by their marks; of several setup cells the last counts."""
    setup: str | None = None
    answers: dict[str, list[str]] = {}
    for source in sources:
        mark = mark_of(source)
        if mark == "setup":
            setup = source
        elif mark is not None:
            answers.setdefault(mark, []).append(source)
    return Submission(setup, answers, len(sources))
