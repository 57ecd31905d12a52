"""What a notebook's kernel has beside Python's own names, for cells that run without one."""

import __future__

import ast
import asyncio
import inspect
import os
import re
import sys
import types
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

TIMEIT = re.compile(r"\s*((?:-(?:[nrp]\s*\d+|[tcqosv]+)\s+)*)(.*)", re.DOTALL)
# these show, fetch or set up something that no answer hangs on
HARMLESS = frozenset(
    [
        "autoreload",
        "cd",
        "config",
        "conda",
        "load_ext",
        "ls",
        "matplotlib",
        "memit",
        "mprun",
        "pdoc",
        "pinfo",
        "pinfo2",
        "pip",
        "precision",
        "prun",
        "psource",
        "pwd",
        "reload_ext",
        "reset",
        "timeit",
        "uv",
        "who",
        "whos",
        "xmode",
    ]
)


class Shell:
    """In place of ``get_ipython()``: times statements and sets the environment, and does nothing else.

    ``passed_over`` names the magics that would have done something.
    """

    def __init__(self, namespace: dict[str, Any]):
        self._namespace = namespace
        self.passed_over: list[str] = []

    def run_line_magic(self, name: str, line: str, *rest: Any) -> Any:
        """What ``%time`` is given is run, ``%timeit -o`` runs it once, and ``%env`` sets a variable."""
        here = sys._getframe(1)
        if name == "time":
            return _value(line, here)
        if name == "timeit" and (asked := TIMEIT.match(line)) and "o" in asked[1]:
            return _timed(asked[2], here)
        if name in ("env", "set_env"):
            return _environment(line)
        if name not in HARMLESS:
            self.passed_over.append(f"%{name}")
        return None

    def getoutput(self, command: str, *rest: Any) -> list[str]:
        """The lines that a command prints: none, since it does not run."""
        return []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments, **keywords: None


def _value(statement: str, here: types.FrameType) -> Any:
    """Runs a statement where a magic stands; the value of an expression."""
    try:
        code = compile(statement.strip(), "<%time>", "eval", dont_inherit=True)
    except SyntaxError:
        exec(compile(statement, "<%time>", "exec", dont_inherit=True), here.f_globals, here.f_locals)
        return None
    return eval(code, here.f_globals, here.f_locals)


def _timed(statement: str, here: types.FrameType) -> types.SimpleNamespace:
    """What ``%timeit -o`` returns, of one run."""
    began = perf_counter()
    _value(statement, here)
    took = perf_counter() - began
    return types.SimpleNamespace(
        average=took, best=took, worst=took, stdev=0.0, loops=1, repeat=1, timings=[took], all_runs=[took]
    )


def _environment(line: str) -> Any:
    """``%env NAME=value`` and ``%env NAME value`` set a variable, ``%env NAME`` gives it, ``%env`` all."""
    name, value = [*re.split(r"\s*=\s*|\s+", line.strip(), maxsplit=1), ""][:2]
    if not name:
        return dict(os.environ)
    if not value:
        return os.environ.get(name)
    os.environ[name] = value
    return None


def provide(namespace: dict[str, Any]) -> Shell:
    """Give a namespace the names that a kernel has; returns what answers as ``get_ipython()``."""
    shell = Shell(namespace)
    namespace["get_ipython"] = lambda: shell
    namespace["display"] = lambda *arguments, **keywords: None
    namespace |= {"In": [""], "Out": {}, "_": "", "__": "", "___": ""}
    return shell


class Kernel:
    """Compiles and runs cells as a kernel does.

    ``await`` may stand at the top, and what a cell imports from ``__future__`` holds in those after it.
    """

    def __init__(self) -> None:
        self._flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    def codes(self, label: str, source: str, *, one_by_one: bool) -> Iterator[types.CodeType]:
        """The code of a cell, in one piece or statement by statement."""
        try:
            tree = ast.parse(source, label)
            self._flags |= _imported_from_the_future(tree)
            pieces = [ast.Module([node], []) for node in tree.body] if one_by_one else [tree]
            codes = [compile(piece, label, "exec", self._flags, dont_inherit=True) for piece in pieces]
        except (MemoryError, RecursionError):
            raise SyntaxError("the code is nested too deeply", (label, 1, None, None)) from None
        yield from codes

    @staticmethod
    def run(code: types.CodeType, namespace: dict[str, Any]) -> None:
        """Run code, to the end of what it awaits."""
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(eval(code, namespace))
        else:
            exec(code, namespace)


def _imported_from_the_future(tree: ast.Module) -> int:
    """The flags of the features that a cell imports from ``__future__``."""
    names = [
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    ]
    features = [getattr(__future__, name) for name in names if name in __future__.all_feature_names]
    return sum({feature.compiler_flag for feature in features})
