"""Marked cells of an exercise.md: reading them, and stripping solutions from them."""

import ast
import contextlib
import functools
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.spec import SpecificationError

MARK = re.compile(
    r"#\s*(?:(setup)|question\s+(\d{1,2}\.\d{1,2}))\s*(?:[:.)]|[:.)]?\s+[-\u2013\u2014(].*)?$", re.IGNORECASE
)
UNSEEN = " \t\r\f\v\xa0\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
# what these cell magics are given is no Python of this kernel; others time, watch or plot Python
FOREIGN_CELLS = frozenset(
    [
        "bash",
        "cmd",
        "file",
        "html",
        "HTML",
        "javascript",
        "js",
        "latex",
        "markdown",
        "perl",
        "pypy",
        "python",
        "python2",
        "python3",
        "ruby",
        "script",
        "sh",
        "svg",
        "SVG",
        "sx",
        "system",
        "writefile",
    ]
)
# IPython reads a cell anew for each of its magics
MAX_TRANSFORMED, MAX_MAGICS = 20_000, 50
BEGIN, STUB, END = "### BEGIN SOLUTION", "### STUB", "### END SOLUTION"


def question_id(text: str) -> str:
    """'6.2' and '06.2' are the same question."""
    chapter, _, number = text.strip().partition(".")
    return f"{int(chapter):02d}.{int(number)}" if chapter.isdigit() and number.isdigit() else text.strip()


def mark_of(source: str) -> str | None:
    """'setup', or the id of the question that a comment at the head of the cell marks.

    Magics, other comments, such as Colab's titles, and what cannot be seen may stand before it; a colon or
    something in parentheses or after a dash behind it.
    """
    for line in source.splitlines():
        text = line.strip(UNSEEN)
        if found := MARK.match(text):
            return "setup" if found[1] else question_id(found[2])
        if text and not text.startswith(("%", "#")):
            return None
    return None


@functools.lru_cache(maxsize=512)
def without_magics(source: str) -> str:
    """The cell as the Python that Jupyter makes of it, each line where it was.

    Magics and shell commands become calls of ``get_ipython()``, which the worker answers. A cell magic is
    left out, and so is what it is given if that is a script of the shell or a text.
    """
    if _parses(source):
        return source
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        magic = re.match(r"%%(\w+)", lines[first])
        rest = "\n".join(["" if i <= first else line for i, line in enumerate(lines)])
        is_foreign = magic is None or magic[1] in FOREIGN_CELLS
        return "\n" * (len(lines) - 1) if is_foreign else without_magics(rest)
    magics = sum(line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?") for line in lines)
    if len(source) <= MAX_TRANSFORMED and magics <= MAX_MAGICS:
        with contextlib.suppress(ImportError, SyntaxError):
            return "\n" * first + _transformed("\n".join(lines[first:]))
    return "\n".join("" if line.startswith(("%", "!", "?")) else line for line in lines)


def _parses(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _transformed(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    class LineByLine(TransformerManager):
        """A command that goes on over several lines becomes one, with empty lines after it."""

        def do_one_token_transform(self, lines: list[str]) -> tuple[bool, list[str]]:
            changed, after = super().do_one_token_transform(lines)
            joined = len(lines) - len(after)
            place = next((i for i, (old, new) in enumerate(zip(lines, after)) if old != new), 0) + 1
            return changed, [*after[:place], *["\n"] * joined, *after[place:]]

    changed = LineByLine().transform_cell(source)
    return changed if source.endswith("\n") else changed.removesuffix("\n")


def stripped(source: str, question: str) -> str:
    """The student's form of a cell: each solution replaced by its stub."""
    result: list[str] = []
    stub: list[str] = []
    state = "text"
    for number, line in enumerate(source.split("\n"), 1):
        word = line.strip()
        indent = line[: len(line) - len(line.lstrip())]
        if word in (BEGIN, STUB, END):
            allowed = {BEGIN: ("text",), STUB: ("solution",), END: ("solution", "stub")}[word]
            if state not in allowed:
                raise SpecificationError(f"question {question}, line {number}: {word!r} is out of order")
            if word == BEGIN:
                state, stub = "solution", []
            elif word == STUB:
                state, stub = "stub", []
            else:
                empty = [f'{indent}raise NotImplementedError("question {question} is not answered yet")']
                result += stub if state == "stub" else empty
                state = "text"
        elif state == "text":
            result.append(line)
        elif state == "stub":
            if word and not word.startswith("#"):
                raise SpecificationError(
                    f"question {question}, line {number}: a stub's lines begin with '# '"
                )
            stub.append(indent + word.removeprefix("#").removeprefix(" "))
    if state != "text":
        raise SpecificationError(f"question {question}: no {END!r} after {BEGIN!r}")
    return "\n".join(result)


def solved(source: str) -> str:
    """The solved form of a cell: markers and stubs left out."""
    without_stubs = re.sub(rf"^[ \t]*{STUB}\n.*?(?=^[ \t]*{END})", "", source, flags=re.MULTILINE | re.DOTALL)
    return "\n".join(line for line in without_stubs.split("\n") if line.strip() not in (BEGIN, END))


def solution_lines(source: str) -> set[str]:
    """The stripped lines between the markers."""
    blocks = re.findall(rf"{BEGIN}\n(.*?)^[ \t]*(?:{STUB}|{END})", source, flags=re.MULTILINE | re.DOTALL)
    return {line.strip() for block in blocks for line in block.split("\n") if line.strip()}


@dataclass(frozen=True)
class Source:
    """An exercise.md: its notebook, its setup cell, and the stub and the solution of each question."""

    notebook: Any
    setup: str
    stubs: dict[str, str]
    solutions: dict[str, str]


def read_source(path: Path) -> Source:
    """Read exercise.md and check its marks: one setup cell, one cell and one check per question."""
    import jupytext

    if not path.is_file():
        raise SpecificationError(
            f"{path}: not found; an exercise folder holds exercise.md and a folder qN_name for each question"
        )
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    setups, marked, checked = [], {}, set()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        mark = mark_of(cell.source)
        if mark == "setup":
            setups.append(cell.source)
        elif mark is not None:
            if mark in marked:
                raise SpecificationError(f"{path}: two cells are marked '# question {mark}'")
            if BEGIN not in cell.source:
                raise SpecificationError(f"{path}: the cell of question {mark} has no {BEGIN!r}")
            marked[mark] = cell.source
        elif BEGIN in cell.source:
            raise SpecificationError(f"{path}: a cell with {BEGIN!r} does not begin with '# question NN.Q'")
        checked |= set(re.findall(r"^check\(['\"]([\d.]+)['\"]\)", cell.source, re.MULTILINE))
    if len(setups) != 1:
        raise SpecificationError(f"{path}: {len(setups)} cells are marked '# setup'; there should be one")
    if checked ^ set(marked):
        odd = sorted(checked ^ set(marked))[0]
        raise SpecificationError(f"{path}: question {odd} lacks its cell or its check(...)")
    stubs = {q: stripped(source, q) for q, source in marked.items()}
    return Source(notebook, setups[0], stubs, {q: solved(source) for q, source in marked.items()})
