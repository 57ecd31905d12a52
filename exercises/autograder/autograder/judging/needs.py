"""The questions that an answer builds on: what it uses of them, and whether they are at fault."""

import ast
import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from autograder.authoring.source import without_magics
from autograder.judging.results import Result, presentable
from autograder.worker.messages import Error

ENDED = ("timeout", "crashed", "out-of-memory")
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


def better(own: Result, mended: Result, known: Mapping[str, Result]) -> Result:
    """The result that counts: after the student's own answers, or after our solutions in their place.

    ``known`` are the results of the student's own, where words are asked for. Of equal results the second
    says more if one of them is lost: what is wrong in it is wrong in this answer.
    """
    one, other = ((result.points, result.status == "ok") for result in (own, mended))
    if other < one or (other == one and not any(map(_is_lost, known.values()))):
        return own
    whose = [f"{q}{_points(result)}" if _is_lost(result) else q for q, result in known.items()]
    told = f"Graded with our solution of question {' and '.join(whose)}. {mended.message}".rstrip()
    return dataclasses.replace(mended, message=presentable(told) if known else "", printed=own.printed)


def look_there(used: Iterable[tuple[str, str]], known: Callable[[str], Result]) -> str:
    """The first question of which the answer uses a name and that has not all its points, if there is one."""
    for question, told in used:
        if _is_lost(result := known(question)):
            return f"{told}{_points(result)}: look there first."
    return ""


def at_fault(own: Result, needed: Iterable[str], known: Callable[[str], Result]) -> str:
    """The first question whose cell ends the process as this answer does, before anything is judged."""
    if own.status not in ENDED or _has_words(own):
        return ""
    for question in needed:
        result = known(question)
        if result.status == own.status and not _has_words(result):
            return (
                f"It builds on question {question}, whose cell does the same: look there first. {own.message}"
            )
    return ""


def _has_words(result: Result) -> bool:
    """Whether parts were judged one by one."""
    return any(part.points or part.message for part in result.parts)


def _is_lost(result: Result) -> bool:
    return result.points < result.max_points


def _points(result: Result) -> str:
    return f", which has {result.points} of {result.max_points} points"


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
