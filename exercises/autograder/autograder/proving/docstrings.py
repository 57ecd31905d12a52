"""What a stub's docstrings say of its arguments: the axes of tensors, and which are whole numbers."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.authoring.source import without_magics

ENTRY = re.compile(r"^(\s*)(\w+):\s+(\S.*)$")
AXES = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
SEVERAL = re.compile(r"\b(tensor|array|list|dict|sequence|tuple)s?\b")
HOLDING = re.compile(r"\b(?:tensor|array)s?\b")
WHOLE = re.compile(r"\b(whole number|whole-number|integer|number of|int\b)")


@dataclass(frozen=True)
class Argument:
    """An argument: its axes in order, a name or nothing for each; and whether it is one whole number."""

    name: str
    axes: tuple[str, ...] = ()
    is_whole: bool = False


@dataclass(frozen=True)
class Target:
    """A function of an answer, or the forward of a class with what its ``__init__`` takes."""

    name: str
    is_class: bool
    arguments: tuple[Argument, ...]
    options: tuple[Argument, ...] = ()

    @property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """The axes of each argument that has some."""
        return {argument.name: argument.axes for argument in self.arguments if argument.axes}

    @property
    def whole(self) -> list[str]:
        """The arguments and options that are one whole number."""
        return [argument.name for argument in (*self.arguments, *self.options) if argument.is_whole]

    @property
    def sizes(self) -> list[str]:
        """The names of all axes and whole numbers, each once."""
        named = [name for axes in self.axes.values() for name in axes if name]
        return list(dict.fromkeys([*named, *self.whole]))


def targets(stub: str) -> Iterator[Target]:
    """The functions and the classes with a forward that a stub asks for."""
    for node in ast.parse(without_magics(stub)).body:
        if isinstance(node, ast.FunctionDef):
            yield Target(node.name, False, tuple(_arguments(node, [])))
        elif isinstance(node, ast.ClassDef):
            methods = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
            if "forward" in methods:
                general = [ast.get_docstring(node) or ""]
                options = _arguments(methods["__init__"], general)[1:] if "__init__" in methods else []
                forward = _arguments(methods["forward"], general)[1:]
                yield Target(node.name, True, tuple(forward), tuple(options))


def _arguments(function: ast.FunctionDef, more: list[str]) -> list[Argument]:
    said: dict[str, str] = {}
    for text in (*more, ast.get_docstring(function) or ""):
        said |= dict(entries(text))
    asked = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return [_argument(argument.arg, said.get(argument.arg, "")) for argument in asked]


def entries(docstring: str) -> Iterator[tuple[str, str]]:
    """The lines ``name: text`` of a docstring, each with the lines below it that are indented further."""
    name, indent, told = "", 0, ""
    for line in docstring.split("\n"):
        found = ENTRY.match(line)
        if found and not (name and len(found[1]) > indent):
            if name:
                yield name, told
            name, indent, told = found[2], len(found[1]), found[3]
        elif name and line.strip() and len(line) - len(line.lstrip()) > indent:
            told += f" {line.strip()}"
        elif name:
            yield name, told
            name = ""
    if name:
        yield name, told


def _argument(name: str, told: str) -> Argument:
    several = SEVERAL.search(told)
    if several is None:
        return Argument(name, is_whole=WHOLE.search(told) is not None)
    held = HOLDING.search(told)
    found = AXES.search(told, held.end() if held else several.end())
    names = [axis.strip() for axis in found[1].split(",")] if found else []
    axes = tuple(axis if axis.isidentifier() else "" for axis in names if axis)
    return Argument(name, axes if any(axes) else ())
