"""The questions that an answer builds on: which of their names it uses, and which are missing."""

import ast
import re
from collections.abc import Iterator, Mapping

from autograder.authoring.source import without_magics
from autograder.worker.messages import Error

UNDEFINED = re.compile(r"name '(\w+)' is not defined")


def builds_on(answer: str, cells: Mapping[str, str], stubs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The questions of which the answer uses a name, each with a sentence that says so, without its end."""
    own, used = _defined(answer), _used(answer)
    for question, cell in cells.items():
        names = sorted((_defined(cell) | _defined(stubs[question])) & used - own)
        if names:
            yield question, f"It uses your {names[0]} of question {question}"


def undefined(error: Error, stubs: Mapping[str, str]) -> tuple[str, str] | None:
    """The name that is not defined, and the question that should define it, if this is the error."""
    missing = UNDEFINED.match(error.message) if error.builtin == "NameError" else None
    if missing is None:
        return None
    owner = next((q for q, stub in stubs.items() if missing[1] in _defined(stub)), None)
    return None if owner is None else (missing[1], owner)


def _tree(source: str) -> ast.Module:
    """What a cell holds; nothing if it cannot be read."""
    try:
        return ast.parse(without_magics(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _defined(source: str) -> set[str]:
    """The names that a cell defines at its top level."""
    names = set()
    for node in _tree(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            names |= {
                n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
    return names


def _used(source: str) -> set[str]:
    """The names that a cell reads anywhere."""
    nodes = ast.walk(_tree(source))
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
