"""What a chapter shows beside its figures: the source of functions, and tables of results.

Both have a plain text form, which the notebooks' test compares, and an HTML form for the book and JupyterLab.
The source is read from the functions themselves, so the page cannot differ from what runs. Under an equation,
a chapter ends a cell with its two forms, the literal one and the core of its twin in the library::

    show_source(note.softmax, excerpt(attention_weights, "scale =", "scores ="))

Results that compare are a table of cells that the chapter formats from a record::

    rows = [["scaled", "0.01", "0.02"], ["not scaled", "0.10", "0.92"]]
    show_table(["head", "k = 8", "k = 32"], rows)

Of the library, only ``experiments`` imports this module.
"""

import ast
import copy
import inspect
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from types import FunctionType, ModuleType

__all__ = ["LONGEST_LINE", "Source", "SourcePair", "Table", "excerpt", "show_source", "show_table", "spread"]

Code = FunctionType | type | ModuleType

LONGEST_LINE = 80
"""Columns of the longest line that a page shows."""


@dataclass(frozen=True)
class Source:
    """The source of a function or class, or some of its lines.

    Attributes
    ----------
    name : str
        Its full name, such as ``transformer_lib.equations.note.softmax``.
    kind : str
        ``Equation`` for a literal function of ``transformer_lib.equations``, ``Library`` for any other code.
    text : str
        The lines, without docstrings and type annotations of the signature.
    complete : bool
        Whether this is all of it.
    """

    name: str
    kind: str
    text: str
    complete: bool = True

    @property
    def caption(self) -> str:
        """The kind, and the name without the package's."""
        place = self.name.removeprefix("transformer_lib.").removeprefix("equations.")
        return f"{self.kind}: {place}{'' if self.complete else ' (excerpt)'}"


@dataclass(frozen=True)
class SourcePair:
    """Pieces of source that a page shows one below the other."""

    pieces: tuple[Source, ...]

    def __repr__(self) -> str:
        return "\n\n".join(f"# {piece.caption}\n{piece.text}" for piece in self.pieces)

    def _repr_html_(self) -> str:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer

        figures = "".join(
            f'<figure class="source {piece.kind.lower()}"><figcaption>{escape(piece.caption)}</figcaption>'
            f"{highlight(piece.text, PythonLexer(), HtmlFormatter()).strip()}</figure>"
            for piece in self.pieces
        )
        return f'<div class="source-pair">{figures}</div>'


def show_source(*pieces: Code | Source) -> SourcePair:
    """Show functions as their source says, without docstrings and without type annotations in signatures.

    A module keeps its own docstring, so that a script says how to run it.

    Parameters
    ----------
    pieces
        Functions, methods, classes or modules, shown whole, or what :func:`excerpt` returns.

    Raises
    ------
    ValueError
        If a line is longer than 80 columns: break it in the source, by a statement more if need be.
    """
    shown = tuple(piece if isinstance(piece, Source) else _whole(piece) for piece in pieces)
    for piece in shown:
        for line in piece.text.splitlines():
            if len(line) > LONGEST_LINE:
                raise ValueError(
                    f"a page shows {LONGEST_LINE} columns, but this line of {piece.name} has {len(line)}; "
                    f"break it in the source: {line.strip()}"
                )
    return SourcePair(shown)


def excerpt(code: Code, start: str, end: str | None = None) -> Source:
    """Some lines of a function or class, dedented.

    Parameters
    ----------
    code
        A function, method, class or module.
    start
        Text of the first line; where several lines hold it, the first of them is taken.
    end
        Text of the last line, the first from there on that holds it; without it, the one line is taken.

    Raises
    ------
    ValueError
        If there is no such line.
    """
    whole = _whole(code)
    lines = whole.text.splitlines()
    first = _line_with(start, lines, 0, whole.name)
    last = first if end is None else _line_with(end, lines, first, whole.name)
    text = textwrap.dedent("\n".join(lines[first : last + 1]))
    return Source(whole.name, whole.kind, text, complete=False)


def _line_with(text: str, lines: Sequence[str], after: int, name: str) -> int:
    for number in range(after, len(lines)):
        if text in lines[number]:
            return number
    where = f" from line {after + 1} of what is shown" if after else ""
    raise ValueError(f"no line of {name}{where} holds {text!r}")


def _whole(code: Code) -> Source:
    text = textwrap.dedent(inspect.getsource(code))
    lines = text.splitlines()
    definitions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    # from the last to the first, so that the numbers of the lines before stay true
    for node in sorted(definitions, key=lambda n: n.lineno, reverse=True):
        first = node.body[0]
        if ast.get_docstring(node) is not None:
            end = first.end_lineno or first.lineno
            blank = end < len(lines) and not lines[end].strip()
            del lines[first.lineno - 1 : end + blank]
        if isinstance(node, ast.FunctionDef) and first.lineno > node.lineno:
            body = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]) - 1
            while not lines[body - 1].strip() or lines[body - 1].strip().startswith("#"):
                body -= 1
            lines[node.lineno - 1 : body] = _signature(node)
    name = code.__name__ if isinstance(code, ModuleType) else f"{code.__module__}.{code.__qualname__}"
    kind = "Equation" if name.startswith("transformer_lib.equations.") else "Library"
    return Source(name, kind, "\n".join(lines).strip())


def _signature(node: ast.FunctionDef) -> list[str]:
    arguments = copy.deepcopy(node.args)
    for part in ast.walk(arguments):
        if isinstance(part, ast.arg):
            part.annotation = None
    indent, names = " " * node.col_offset, ast.unparse(arguments)
    line = f"{indent}def {node.name}({names}):"
    if len(line) <= LONGEST_LINE:
        return [line]
    inner = textwrap.wrap(
        names, LONGEST_LINE - len(indent) - 4, break_long_words=False, break_on_hyphens=False
    )
    return [f"{indent}def {node.name}(", *(f"{indent}    {part}" for part in inner), f"{indent}):"]


@dataclass(frozen=True)
class Table:
    """A table of results; its cells are text.

    Attributes
    ----------
    columns : sequence of str
        One title per column. The first column names the rows.
    rows : sequence of sequences of str
    caption : str
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""

    def __repr__(self) -> str:
        lines = [self.columns, *self.rows]
        widths = [max(len(line[n]) for line in lines) for n in range(len(self.columns))]
        printed = [
            "  ".join(
                cell.rjust(width) if n else cell.ljust(width)
                for n, (cell, width) in enumerate(zip(line, widths))
            ).rstrip()
            for line in lines
        ]
        rule = "-" * max(map(len, printed))
        return "\n".join([*([self.caption] if self.caption else []), printed[0], rule, *printed[1:]])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(title)}</th>' for title in self.columns)
        body = "".join(
            f'<tr><th scope="row">{escape(row[0])}</th>'
            + "".join(
                f'<td data-label="{escape(title)}">{escape(cell)}</td>'
                for title, cell in zip(self.columns[1:], row[1:])
            )
            + "</tr>"
            for row in self.rows
        )
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        return f'<table class="record">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def show_table(columns: Sequence[str], rows: Sequence[Sequence[object]], caption: str = "") -> Table:
    """A table of results, numbers to the right: real cells in HTML, aligned columns as plain text.

    Parameters
    ----------
    columns
        One title per column, with its unit.
    rows
        One row per thing compared, its name first. Numbers are formatted by the caller, with as many digits
        as their spread allows; other cells are shown as ``str`` shows them.
    caption
        What the table compares.

    Raises
    ------
    ValueError
        If a row does not have one cell per column.
    """
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"a row needs {len(columns)} cells, one per column, but has {len(row)}: {row!r}")
    return Table(tuple(columns), tuple(tuple(map(str, row)) for row in rows), caption)


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Several runs in a cell, ``mean (least to greatest)``; the mean alone where all are shown as the same.

    A narrow column breaks it before the bracket only.

    Raises
    ------
    ValueError
        If there are no values.
    """
    if not len(values):
        raise ValueError("there are no values to show")
    mean, low, high = (f"{v:.{digits}f}" for v in (sum(values) / len(values), min(values), max(values)))
    return mean if low == high else f"{mean} ({low}\u00a0to\u00a0{high})"
