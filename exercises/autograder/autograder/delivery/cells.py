"""Cells as statements: which of them a name needs, and which names mean two things if cells share a file."""

import ast
import builtins
import itertools
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from autograder.authoring.source import mark_of, without_magics


@dataclass(frozen=True)
class Statement:
    """A statement at the top of a cell, with the comment above it.

    ``forms`` has what each name that it defines is, as text that two statements share if they do the same;
    ``changes`` are the names of what it fills or sets without defining it.
    """

    text: str
    forms: dict[str, str]
    uses: frozenset[str]
    changes: frozenset[str] = frozenset()
    is_import: bool = False


@dataclass(eq=False)
class Cell:
    """The statements of a cell, and the cells that ran before it, the nearest first."""

    label: str
    statements: list[Statement]
    before: list["Cell"] = field(default_factory=list)
    pieces: tuple[str, ...] = ()
    kept: set[int] = field(default_factory=set)

    def defining(self, name: str) -> list[int]:
        """The places of the statements that define a name, or change what it stands for."""
        makers = [s for s in self.statements if name in s.forms]
        is_own = bool(makers) and not any(s.is_import for s in makers)
        return [i for i, s in enumerate(self.statements) if name in s.forms or (is_own and name in s.changes)]

    def provider(self, name: str) -> "Cell | None":
        """The cell that a name comes from here; None for Python's own."""
        return next((cell for cell in (self, *self.before) if cell.defining(name)), None)

    def in_use(self) -> list[Statement]:
        """The statements that are kept, in order."""
        return [self.statements[i] for i in sorted(self.kept)]

    def form(self, name: str) -> tuple[str, ...]:
        """What the kept statements say a name is."""
        return tuple(s.forms.get(name, s.text) for s in self.in_use() if name in s.forms or name in s.changes)


def statements(source: str) -> list[Statement]:
    """The statements of a cell that can be read; those that share a line are one."""
    source = without_magics(source.replace("\r\n", "\n").replace("\r", "\n"))
    lines = source.split("\n")
    groups: list[tuple[list[ast.stmt], int]] = []
    done = 0
    for node in ast.parse(source).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        if groups and first <= done:
            groups[-1][0].append(node)
        else:
            groups.append(([node], done))
        done = max(done, node.end_lineno or first)
    ends = [*(start for _, start in groups[1:]), done]
    return [_statement(nodes, lines[start:end]) for (nodes, start), end in zip(groups, ends, strict=True)]


def _statement(nodes: list[ast.stmt], lines: list[str]) -> Statement:
    text = "\n".join(line for line in lines if mark_of(line) is None).strip("\n").rstrip()
    defined, used = _names(text)
    whole = "\n".join(ast.dump(node) for node in nodes)
    forms = {name: whole for name in defined}
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in imports:
        source = f"from {'.' * node.level}{node.module or ''} " if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            as_name = f" as {alias.asname}" if alias.asname else ""
            forms[name] = f"{source}import {alias.name}{as_name}"
    changed = frozenset(name for node in nodes for name in _changed(node)) - set(defined)
    return Statement(text, forms, frozenset(used), changed, len(imports) == len(nodes))


def _names(text: str) -> tuple[list[str], set[str]]:
    """The names that a text defines at its top, and those at the top that it reads, now or when called."""
    top = symtable.symtable(text, "<cell>", "exec")
    defined = [s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()]
    used, waiting = set(), [top]
    for table in waiting:
        waiting += table.get_children()
        for symbol in table.get_symbols():
            if table is top or symbol.is_global():
                used |= {symbol.get_name()} if symbol.is_referenced() or table is not top else set()
    return defined, used


def _changed(node: ast.stmt) -> Iterator[str]:
    """The names whose things a statement fills or sets: ``table[0] = 1``, ``table.update(...)``."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for part in ast.walk(node):
        place: ast.AST | None = None
        if isinstance(part, ast.Subscript | ast.Attribute) and isinstance(part.ctx, ast.Store):
            place = part
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            place = part.value.func if isinstance(part.value.func, ast.Attribute) else None
        while isinstance(place, ast.Subscript | ast.Attribute):
            place = place.value
        if isinstance(place, ast.Name):
            yield place.id


def separate(found: list[Statement]) -> list[Statement]:
    """The statements of a setup cell, each name that is imported as a statement of its own."""
    apart: list[Statement] = []
    for one in found:
        if not one.is_import or "*" in "".join(one.forms.values()):
            apart.append(one)
        else:
            apart += [
                Statement(form, {name: form}, frozenset(), is_import=True) for name, form in one.forms.items()
            ]
    return apart


def keep(cell: Cell, name: str) -> None:
    """Keep the statements that define a name, and what these use, here and in the cells before."""
    found = cell.provider(name)
    if found is None:
        if not hasattr(builtins, name):  # perhaps one of those that an import with a star brings
            for one in (cell, *cell.before):
                one.kept |= {i for i, s in enumerate(one.statements) if s.is_import and s.text.endswith("*")}
        return
    for place in set(found.defining(name)) - found.kept:
        found.kept.add(place)
        found.kept |= {i for i, s in enumerate(found.statements) if s.text.startswith("from __future__ ")}
        for used in found.statements[place].uses:
            keep(found, used)


def conflicts(cells: Sequence[Cell]) -> Iterator[str]:
    """Where one name would have two meanings, and what to rename."""
    defined: dict[str, list[Cell]] = {}
    for cell in cells:
        for name in dict.fromkeys(n for s in cell.in_use() for n in s.forms if n != "*"):
            defined.setdefault(name, []).append(cell)
    for name, found in defined.items():
        for one, other in itertools.pairwise(found):
            if one.form(name) != other.form(name):
                place = one if name in other.pieces or other.label == "the frame" else other
                number = place.label.rpartition(" ")[2].replace(".", "_")
                both = f"{one.label} and {other.label} both define {name}, each in its own way"
                yield f"{both}: rename it in {place.label}, to {name}_{number} or so"
    for cell in cells:
        for name in sorted({n for s in cell.in_use() for n in s.uses} & set(defined)):
            if cell.provider(name) is None and hasattr(builtins, name):
                where = defined[name][0].label
                yield f"{where} defines {name}, which is Python's own in {cell.label}: rename it in {where}"
