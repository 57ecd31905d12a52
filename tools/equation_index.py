"""Sphinx extension of the book: the index of the sources' equations, written again at every build.

A page lists the equations, a line each, in a directive:

    :::{equation-index}
    N2 | (2) | attention weights | 6, 7 | eq-06-weights
    papers.rotary | | rotary positions | 9 |
    :::

are the equation's id (or, for a paper, the function that computes it), its number in the source, what it is,
the chapters that teach it, and its label there. The functions come from the `Source:` lines of
`transformer_lib.equations`, the tests from their `proves` marks. An equation without code, without a test, or
without a label in a chapter that exists is a warning, and warnings fail the build.
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parent.parent
EQUATIONS = ROOT / "transformer_lib" / "equations"
PACKAGE = "transformer_lib.equations"
EQUATION_ID = re.compile(r"\b[NSGTK]\d+[a-z]?\b")
CITATION = re.compile(r"(\w+)(?: et al\.| and \w+)? \((\d{4})\)")
LABEL = re.compile(r"\(eq-\d\d-[\w-]+\)")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Function:
    """A function of `transformer_lib.equations`: `name` is its module and its own, such as `note.softmax`."""

    name: str
    source: str

    @property
    def ids(self) -> set[str]:
        """What its `Source:` line names: equations of the five sources, and papers by author and year."""
        papers = {f"{author.lower()}{year}" for author, year in CITATION.findall(self.source)}
        return set(EQUATION_ID.findall(self.source)) | papers


@dataclass(frozen=True)
class Proof:
    """A test with a `proves` mark."""

    name: str
    path: Path
    ids: frozenset[str]
    text: str


@dataclass(frozen=True)
class Row:
    """A line of the index, as the page states it."""

    key: str
    number: str
    title: str
    chapters: list[int]
    label: str

    @classmethod
    def parse(cls, line: str) -> "Row":
        """Read `key | number | title | chapters | label`."""
        fields = [field.strip() for field in line.split("|")]
        if len(fields) != 5:
            raise ValueError(
                f"an equation has five fields, key | number | title | chapters | label: {line!r}"
            )
        key, number, title, chapters, label = fields
        return cls(key, number, title, [int(chapter) for chapter in chapters.split(",")], label)


def tests_of(path: Path) -> Iterable[tuple[ast.FunctionDef, str]]:
    """The test functions of a file, and their text."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node, "\n".join(lines[node.lineno - 1 : node.end_lineno])


@cache
def functions() -> list[Function]:
    """The public functions of the equations' modules that have a `Source:` line."""
    found = []
    for path in sorted(EQUATIONS.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                docstring = ast.get_docstring(node) or ""
                source = re.search(r"^Source: (.+(?:\n.+)*)", docstring, re.MULTILINE)
                if source:
                    found.append(Function(f"{path.stem}.{node.name}", source[1].replace("\n", " ")))
    return found


@cache
def proofs() -> list[Proof]:
    """The tests that carry `@pytest.mark.proves(...)`."""
    found = []
    for path in sorted((ROOT / "tests" / "library").rglob("test_*.py")):
        for node, text in tests_of(path):
            ids = [
                ast.literal_eval(argument)
                for call in node.decorator_list
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.proves"
                for argument in call.args
            ]
            if ids:
                found.append(Proof(node.name, path, frozenset(ids), text))
    return found


@cache
def chapters() -> dict[int, str]:
    """The documents of the chapters that exist, by number."""
    return {int(path.name[:2]): path.stem for path in sorted((ROOT / "chapters").glob("[0-9][0-9]_*.ipynb"))}


@cache
def labels() -> set[str]:
    """The labels of all equations in the chapters."""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "chapters").glob("*.ipynb"))
    return {label.strip("()") for label in LABEL.findall(text)}


def functions_of(row: Row) -> list[Function]:
    """The functions that compute the equation and the fewest others beside it."""
    if "." in row.key:
        return [function for function in functions() if function.name == row.key]
    naming = [function for function in functions() if row.key in function.ids]
    fewest = min((len(function.ids) for function in naming), default=0)
    return [function for function in naming if len(function.ids) == fewest]


def proofs_of(row: Row) -> list[Proof]:
    """The tests that prove the equation and the fewest others beside it."""
    if "." in row.key:
        cited = {name for function in functions_of(row) for name in function.ids}
        naming = [proof for proof in proofs() if cited & proof.ids]
        calling = [proof for proof in naming if re.search(rf"\b{re.escape(row.key)}\(", proof.text)]
        return calling or naming
    naming = [proof for proof in proofs() if row.key in proof.ids]
    fewest = min((len(proof.ids) for proof in naming), default=0)
    return [proof for proof in naming if len(proof.ids) == fewest]


def faults(row: Row) -> list[str]:
    """What the row lacks."""
    taught = [chapter for chapter in row.chapters if chapter in chapters()]
    checks = {
        "has no function whose `Source:` line names it": not functions_of(row),
        "has no test whose `proves` mark names it": not proofs_of(row),
        f"has no label, but chapter {taught and taught[0]} exists (write - where it has no number there)": (
            taught and not row.label
        ),
        f"has the label {row.label}, which no chapter defines": row.label not in {"", "-", *labels()},
    }
    return [f"{row.key} {fault}" for fault, present in checks.items() if present]


def anchor_of(key: str) -> str:
    """The anchor of an equation on the page of its index."""
    return f"index-{key.replace('.', '-').replace('_', '-')}"


def cells(row: Row) -> list[str]:
    """The row's cells in MyST."""
    found = functions_of(row)
    by_paper = "." in row.key
    number = (found[0].source if found else "") if by_paper else row.number
    equation = f"{row.title}<br>{number}" if by_paper else f"**{row.key}** {number}<br>{row.title}"
    taught = [
        f"{{doc}}`{chapter} </chapters/{chapters()[chapter]}>`" if chapter in chapters() else str(chapter)
        for chapter in row.chapters
    ]
    here = f", {{eq}}`{row.label}`" if row.label not in {"", "-"} else ""
    where = f"chapter{'s' * (len(taught) > 1)} {', '.join(taught)}{here}"
    code = [f"{{py:func}}`{function.name} <{PACKAGE}.{function.name}>`" for function in found]
    tests = [f"`{proof.name}`" for proof in proofs_of(row)[:1]]
    return [equation, "<br>".join([where, *code, *tests])]


class EquationIndex(SphinxDirective):
    """The table of a source's equations."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Expand the listed equations into a table."""
        self.env.note_reread()
        for found in (functions, proofs, chapters, labels):
            found.cache_clear()
        rows = [Row.parse(line) for line in self.content if line.strip()]
        for row in rows:
            for fault in faults(row):
                logger.warning(fault, location=self.get_location())
        table = ["| equation | chapter, function, test |", "|---|---|"]
        table += [f"| {' | '.join(cells(row))} |" for row in rows]
        container = nodes.container(classes=["equation-index"])
        self.state.nested_parse(StringList(table, self.get_location()), self.content_offset, container)
        (body,) = container.findall(nodes.tbody)
        for line, row in zip(body.children, rows, strict=True):
            line["ids"].append(anchor_of(row.key))
        return [container]


def setup(app: Sphinx) -> dict[str, object]:
    """Register the directive."""
    app.add_directive("equation-index", EquationIndex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
