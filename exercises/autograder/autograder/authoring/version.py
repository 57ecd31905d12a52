"""Digests of what decides a grade: of a question, and of the code that judges its answers.

A digest holds what a program does, not how it is written: comments, docstrings and layout do not count, nor
do titles, descriptions and hints of a specification. Every other text counts: it may be a pattern of axes.
"""

import ast
import functools
import hashlib
import symtable
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# what decides whether outputs win a part, which all of a proof rests on
DECIDING = (
    "authoring/sizes.py",
    "authoring/spec.py",
    "judging/compare.py",
    "judging/conceal.py",
    "judging/exam.py",
    "judging/outputs.py",
    "worker/forbids.py",
    "worker/student.py",
    "worker/values.py",
)
# what runs an answer's cells and has its outputs
RUNNING = ("authoring/source.py", "worker/__main__.py", "worker/kernel.py")
# what else decides the points of an answer; the other modules launch, word, show and file
JUDGING = (*DECIDING, *RUNNING, "judging/evaluate.py", "judging/needs.py", "judging/notebook.py")
FOR_PEOPLE = ("hints", "title", "description", "minutes", "difficulty", "exempt", "clauses")


def digest(named: Iterable[tuple[str, bytes]]) -> str:
    """A short digest of files by name; how their lines end does not count."""
    found = hashlib.sha256()
    for name, content in named:
        text = content.replace(b"\r\n", b"\n")
        found.update(f"{name}\0{len(text)}\0".encode() + text)
    return found.hexdigest()[:16]


class _Bare(ast.NodeTransformer):
    """Leaves out what only people read: docstrings, and arguments such as descriptions and hints.

    Without ``points`` a part's number of points is left out too.
    """

    def __init__(self, points: bool = True) -> None:
        self.points = points

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """No docstring, and no other text that stands by itself."""
        text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Pass() if text else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """No keyword for people, and no description of a part."""
        node.keywords = [k for k in node.keywords if k.arg not in FOR_PEOPLE]
        if isinstance(node.func, ast.Name) and node.func.id == "Part" and len(node.args) > 2:
            node.args[2] = ast.Constant("")
            if not self.points:
                node.args[1] = ast.Constant(1)
        return self.generic_visit(node)


@functools.lru_cache(maxsize=256)
def bare(source: str) -> str:
    """What a program does, as text: two that differ in words for people only have the same."""
    return _text(_Bare().visit(ast.parse(source)))


def _text(value: object) -> str:
    """A syntax tree as text, on every Python the same: empty fields, which come and go, are left out."""
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if not isinstance(value, ast.AST):
        return repr(value)
    fields = ((name, field) for name, field in ast.iter_fields(value) if field is not None and field != [])
    return f"{type(value).__name__}({', '.join(f'{name}={_text(field)}' for name, field in fields)})"


@functools.cache
def code_version(modules: tuple[str, ...] = JUDGING, package: Path = PACKAGE) -> str:
    """The digest of what these modules do."""
    return digest((name, bare((package / name).read_text(encoding="utf-8")).encode()) for name in modules)


@dataclass(frozen=True)
class Statement:
    """A statement at top level: the names that it defines, those that it uses, and what it does, as text.

    ``shared`` names are what it imports from the chapter's inputs.py, as name there by name here.
    """

    defines: frozenset[str]
    uses: frozenset[str]
    text: str
    is_import: bool = False
    shared: Mapping[str, str] = field(default_factory=dict)


def statements(source: str, points: bool = True) -> Iterator[Statement]:
    """The statements at top level, each name that is imported as one of its own."""
    for node in _Bare(points).visit(ast.parse(source)).body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            yield Statement(frozenset(_defined(node)), frozenset(_used(node)), _text(node))
            continue
        for alias in node.names:  # each by itself: which others stand on its line does not count
            name = (alias.asname or alias.name).partition(".")[0]
            if isinstance(node, ast.ImportFrom) and node.level:
                yield Statement(frozenset([name]), frozenset(), "", True, {name: alias.name})
            else:
                one = _text(alias) + (f" from {node.module}" if isinstance(node, ast.ImportFrom) else "")
                yield Statement(frozenset([name]), frozenset(), one, True)


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at top level defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
        return
    places: list[ast.AST] = [node]
    # what a comprehension in the value names stays there
    if isinstance(node, ast.Assign):
        places = [*node.targets]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        places = [node.target]
    stored = (n for place in places for n in ast.walk(place) if isinstance(n, ast.Name))
    yield from (name.id for name in stored if isinstance(name.ctx, ast.Store))


def _used(node: ast.stmt) -> Iterator[str]:
    """The names at top level that a statement reads, now or when it is called: no local ones."""
    waiting = [symtable.symtable(ast.unparse(node), "<statement>", "exec")]
    for table in waiting:
        waiting += table.get_children()
        at_top = table.get_type() == "module"
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (at_top or symbol.is_global()):
                yield symbol.get_name()


@functools.lru_cache(maxsize=512)
def specification(spec: str, inputs: str = "", points: bool = True) -> str:
    """What specifies a question: the QUESTION of its spec.py, and the statements that this leads to.

    In which of the two files each stands, and in which order, does not count. Without ``points``, nor do the
    points of its parts.
    """
    files = {"spec": list(statements(spec, points)), "inputs": list(statements(inputs))}
    texts, waiting = set(), [("spec", "QUESTION")]
    for file, name in waiting:
        for statement in files[file]:
            if not statement.defines & {name, "*"}:
                continue
            if statement.shared:
                led = [("inputs", statement.shared.get(name, name))]
            else:
                texts.add(statement.text)
                led = [(file, used) for used in sorted(statement.uses)]
            waiting += [place for place in led if place not in waiting]
    return "\n".join(sorted(texts))
