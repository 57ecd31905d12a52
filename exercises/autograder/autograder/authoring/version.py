"""Digests of what decides a grade: of a question, and of the code that judges its answers.

A digest holds what a program does, not how it is written: comments, docstrings and layout do not count, nor
do titles, descriptions and hints of a specification. Every other text counts: it may be a pattern of axes.
"""

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# what decides the points of an answer; the other modules launch, word, show and file
JUDGING = (
    "authoring/source.py",
    "authoring/spec.py",
    "judging/compare.py",
    "judging/conceal.py",
    "judging/evaluate.py",
    "judging/exam.py",
    "judging/notebook.py",
    "worker/__main__.py",
    "worker/forbids.py",
    "worker/values.py",
)
FOR_PEOPLE = ("hints", "title", "description", "minutes", "difficulty", "exempt")


def digest(named: Iterable[tuple[str, bytes]]) -> str:
    """A short digest of files by name; how their lines end does not count."""
    found = hashlib.sha256()
    for name, content in named:
        text = content.replace(b"\r\n", b"\n")
        found.update(f"{name}\0{len(text)}\0".encode() + text)
    return found.hexdigest()[:16]


class _Bare(ast.NodeTransformer):
    """Leaves out what only people read: docstrings, and arguments such as descriptions and hints."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """No docstring, and no other text that stands by itself."""
        text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Pass() if text else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """No keyword for people, and no description of a part."""
        node.keywords = [k for k in node.keywords if k.arg not in FOR_PEOPLE]
        if isinstance(node.func, ast.Name) and node.func.id == "Part" and len(node.args) > 2:
            node.args[2] = ast.Constant("")
        return self.generic_visit(node)


def bare(source: str | ast.AST) -> str:
    """What a program does, as text: two that differ in words for people only have the same."""
    return _bare_text(source) if isinstance(source, str) else ast.dump(_Bare().visit(source))


@functools.lru_cache(maxsize=256)
def _bare_text(source: str) -> str:
    return bare(ast.parse(source))


@functools.cache
def code_version(modules: tuple[str, ...] = JUDGING, package: Path = PACKAGE) -> str:
    """The digest of what these modules do."""
    return digest((name, bare((package / name).read_text(encoding="utf-8")).encode()) for name in modules)


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at top level defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    else:
        stored = (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        yield from (name.id for name in stored)


def _id_of(call: ast.Call) -> object:
    """The constant that a call has as its ``id``."""
    return next(
        (k.value.value for k in call.keywords if k.arg == "id" and isinstance(k.value, ast.Constant)), None
    )


@functools.lru_cache(maxsize=512)
def specification(source: str, question: str) -> str:
    """The part of a questions.py that specifies one question: its ``Question(...)`` and what that leads to.

    The whole of it where the question is not written out in one place.
    """
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _id_of(node) == question]
    if len(calls) != 1:
        return bare(tree)
    defined = {name: node for node in tree.body for name in _defined(node)}
    found: dict[str, ast.stmt] = {}
    waiting = _names(calls[0]) & defined.keys()
    while waiting:
        name = waiting.pop()
        found[name] = defined[name]
        waiting |= (_names(defined[name]) & defined.keys()) - found.keys()
    kept = [node for node in tree.body if any(node is one for one in found.values())]
    return "\n".join([*(bare(node) for node in kept), bare(calls[0])])
