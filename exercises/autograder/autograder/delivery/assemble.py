"""One file of a student's answers: a Transformer that trains on a text.

Each piece is the student's own where it has all its points, as ``check`` gives them, and the course's
solution where it has not. Of a cell the file holds what the piece needs: no prints, no trials. The file is
graded once more as a whole, so that a piece that others disturb is found before anything is written.
"""

import argparse
import ast
import itertools
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from autograder.authoring.spec import SpecificationError
from autograder.delivery.cells import Cell, conflicts, keep, separate, statements
from autograder.files import write_text
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam, chain
from autograder.judging.fixtures import read_exam
from autograder.judging.notebook import (
    NotebookError,
    Submission,
    last_answered,
    notebook_bytes,
    parse_submission,
)
from autograder.judging.results import MEANINGS, Result
from autograder.worker.session import Session

PIECES = {
    "06.1": ("attention",),
    "07.1": ("split_heads", "join_heads"),
    "08.1": ("make_mask",),
    "09.1": ("waves",),
    "10.2": ("layer_norm",),
    "10.3": ("block",),
    "11.2": ("next_token_loss",),
    "11.6": ("get_batch", "train_step", "generate"),
    "12.2": ("smoothed_loss",),
    "13.6": ("translator_block",),
    "14.1": ("next_distribution",),
    "15.6": ("learning_rate", "training_bytes"),
}
FRAME, MARKER = Path(__file__).with_name("frame.py"), "# %% the frame\n"
MAIN = '\n\nif __name__ == "__main__":'
IMPORTS = "import argparse\nfrom pathlib import Path\nimport torch\nfrom torch import nn"
TITLE = (
    '"""My Transformer: the answers to the exercises of "Transformers, Equation by Equation" in one file.\n'
)
DOCSTRING = f"""{TITLE}
Train it on any text, and let it write some of that kind (--help lists all settings):

    python {{name}} TEXT_FILE --steps 300 --prompt "..."

{{pieces}}

Written by `python -m autograder assemble`, which replaces this file when it runs again.
\"""
"""
OURS = "ours"
DEFINES = re.compile(r"^(?:def |class |async def |@)", re.MULTILINE)
OUTSIDE = ("autograder", "transformer_lib")


class CannotAssemble(SpecificationError):
    """The pieces make no file; the message says what to do."""


@dataclass(frozen=True)
class Choice:
    """A piece: whose it is, why, and the cells that it stands in."""

    question: str
    names: tuple[str, ...]
    is_own: bool
    why: str
    setup: str
    source: str

    def row(self) -> str:
        """A line of the table."""
        names = ", ".join(self.names) or "(for the piece below)"
        return f"{self.question}  {names:<35}  {'yours' if self.is_own else OURS}: {self.why}"


@dataclass(frozen=True)
class Folder:
    """An exercise as a student has it."""

    path: Path
    exam: Exam

    @classmethod
    def of(cls, root: Path, question: str) -> "Folder":
        """The exercise that holds a question."""
        for path in sorted(root.glob(f"{question[:2]}_*/fixtures.json")):
            exam = read_exam(path.read_text(encoding="utf-8"), str(path))
            if question in exam.questions:
                return cls(path.parent, exam)
        told = "give the course's folder of exercises"
        raise CannotAssemble(f"{root}: no exercise in it has the question {question}; {told}")

    def _cells(self, name: str) -> Submission:
        return parse_submission(notebook_bytes(self.path / name), f"{self.path.name}/{name}")

    @cached_property
    def submission(self) -> Submission | str:
        """The cells of the student's notebook, or why there are none."""
        try:
            return self._cells("exercise.ipynb")
        except FileNotFoundError:
            return "there is no exercise.ipynb"
        except (NotebookError, OSError) as error:
            return f"your notebook cannot be read ({error})"

    def solution(self, question: str) -> str:
        """The course's own cell."""
        try:
            return self._cells("solution.ipynb").answers[question][-1]
        except (NotebookError, OSError, KeyError):
            lacks = f"{self.path / 'solution.ipynb'} has no solution to put in its place"
            raise CannotAssemble(f"{question} has not all its points, and {lacks}") from None

    def choose(self, question: str, names: tuple[str, ...], known: list[Choice], session: Session) -> Choice:
        """The student's answer if it has all its points beside the pieces that it builds on, else ours."""
        found = self.submission
        if isinstance(found, str):
            return Choice(question, names, False, found, self.exam.setup, self.solution(question))
        setup = self.exam.setup if found.setup is None else found.setup
        answers = {c.question: c.source if c.is_own else f"{c.setup}\n{c.source}" for c in known}
        if question in found.answers:
            answers[question] = last_answered(found.answers[question], self.exam.questions[question].stub)
        with session.submission():
            result = evaluate(self.exam, question, setup, answers, session, advise=False)
        points = f"{result.points} of {result.max_points} points"
        if result.points == result.max_points:
            return Choice(question, names, True, points, setup, answers[question])
        return Choice(question, names, False, _why(result, points), self.exam.setup, self.solution(question))


def _why(result: Result, points: str) -> str:
    if result.status in ("empty", "missing"):
        return (
            "your notebook has no cell for it" if result.status == "missing" else "yours is not answered yet"
        )
    meaning = f", {MEANINGS[result.status]}" if result.status in MEANINGS else ""
    return f"yours has {points}{meaning}"


@dataclass
class Assembly:
    """The pieces that are chosen so far, and what they become."""

    choices: list[Choice] = field(default_factory=list)
    exams: dict[str, Exam] = field(default_factory=dict)

    def choose(self, root: Path, pieces: dict[str, tuple[str, ...]], session: Session) -> Iterator[Choice]:
        """Choose every piece, and what it builds on; yield each."""
        folders = {question: Folder.of(root, question) for question in pieces}
        for question, folder in folders.items():
            for one in [*chain(folder.exam.questions, question), question]:
                if one not in self.exams:
                    known = [c for c in self.choices if c.question in folder.exam.questions]
                    self.choices.append(folder.choose(one, pieces.get(one, ()), known, session))
                    self.exams[one] = folder.exam
                    yield self.choices[-1]

    def _cells(self) -> tuple[list[Cell], list[Cell]]:
        """The setup cells and those of the pieces, each with what ran before it, and what is kept of them."""
        setups: dict[tuple[str, str], Cell] = {}
        pieces: dict[str, Cell] = {}
        for choice in self.choices:
            chapter = choice.question[:2]
            label = f"the setup cell of chapter {chapter}"
            key = (chapter, choice.setup)
            setup = setups[key] = setups.get(key) or Cell(label, separate(statements(choice.setup)))
            needed = reversed(chain(self.exams[choice.question].questions, choice.question))
            before = [*(pieces[q] for q in needed), setup]
            pieces[choice.question] = Cell(choice.question, statements(choice.source), before, choice.names)
        for cell in pieces.values():
            for name in cell.pieces:
                keep(cell, name)
        return list(setups.values()), list(pieces.values())

    def text(self, name: str) -> str:
        """The file; CannotAssemble if two cells give a name two meanings."""
        frame = FRAME.read_text(encoding="utf-8").partition(MARKER)[2].strip("\n")
        setups, pieces = self._cells()
        top = Cell("the frame", separate(statements(IMPORTS)))
        end = Cell("the frame", statements(frame), [*reversed(pieces), top])
        for cell in (top, end):
            cell.kept = set(range(len(cell.statements)))
        cells = [top, *setups, *pieces, end]
        if told := [*conflicts(cells)]:
            raise CannotAssemble("\n  ".join(["the pieces do not fit into one file:", *told]))
        imports: list[str] = [*IMPORTS.splitlines()]
        written: list[str] = []
        helpers: dict[str, list[str]] = {}
        known: dict[str, str] = {}
        for cell in [*setups, *pieces]:
            parts = []
            for one in cell.in_use():
                if one.is_import and cell in setups:
                    imports += one.forms.values()
                elif one.is_import or not one.forms or not one.forms.items() <= known.items():
                    parts.append(one.text)
            known |= {n: form for one in cell.in_use() for n, form in one.forms.items()}
            helpers[cell.label] = [*helpers.get(cell.label, []), *parts]
        for choice in self.choices:
            chapter = f"the setup cell of chapter {choice.question[:2]}"
            if above := helpers.pop(chapter, None):
                written.append(_under(f"from {chapter}", above))
            if parts := helpers[choice.question]:
                whose = f"yours, {choice.why}" if choice.is_own else f"{OURS}, because {choice.why}"
                title = f"{choice.question} {', '.join(choice.names)}".rstrip()
                written.append(_under(f"{title} ({whose})", parts))
        pieces_told = textwrap.fill(self._told(), width=100)
        head = DOCSTRING.format(name=name, pieces=pieces_told)
        whole = [f"{head}\n{_sorted(imports)}", *written, _under("the frame", [frame])]
        return _hoisted("\n\n\n".join(whole) + "\n")

    def _told(self) -> str:
        own = [c.question for c in self.choices if c.is_own]
        ours = [c.question for c in self.choices if not c.is_own]
        said = [f"Yours: {', '.join(own)}."] if own else []
        return " ".join([*said, *([f"The course's own: {', '.join(ours)}."] if ours else [])])

    def disturbed(self, text: str, session: Session) -> Iterator[str]:
        """What is wrong with the pieces that have no longer all their points where they stand together."""
        for choice in self.choices:
            if not choice.names:
                continue
            exam = self.exams[choice.question]
            answers = {q: "pass" for q in exam.questions} | {choice.question: text.rpartition(MAIN)[0]}
            with session.submission():
                result = evaluate(exam, choice.question, "import math", answers, session, advise=False)
            if result.points < result.max_points:
                alone = f"{choice.question} has all its points alone, but not beside the other pieces"
                yield f"{alone}, which change what it uses:\n{textwrap.indent(result.feedback, '    ')}"


def _under(title: str, parts: Sequence[str]) -> str:
    """Statements under a comment, with two blank lines around functions and classes."""
    text = f"# ---- {title} ----\n\n{parts[0]}"
    for one, other in itertools.pairwise(parts):
        text += ("\n\n\n" if DEFINES.search(one) or DEFINES.search(other) else "\n") + other
    return text


def _sorted(imports: Sequence[str]) -> str:
    """Imports in the usual order: Python's own first."""
    third = {one for one in imports if one.split()[1].partition(".")[0] not in sys.stdlib_module_names}
    first = {*imports} - third
    ordered = [sorted(some, key=lambda one: (one.split()[1], one[:4] == "from")) for some in (first, third)]
    return "\n\n".join("\n".join(some) for some in ordered)


def _hoisted(text: str) -> str:
    """The text with its imports from the future at its top, where Python wants them."""
    lines = text.split("\n")
    future = sorted({line for line in lines if line.startswith("from __future__ import ")})
    if not future:
        return text
    rest = [line for line in lines if line not in future]
    start = rest.index('"""') + 1
    return "\n".join([*rest[:start], "", *future, *rest[start:]])


def assemble(
    root: Path, output: Path, session: Session, pieces: dict[str, tuple[str, ...]] = PIECES
) -> Iterator[str]:
    """Write the file, or nothing; yield a line for each piece."""
    if not output.parent.is_dir():
        raise CannotAssemble(f"{output.parent}: there is no such folder")
    if output.is_dir() or (output.exists() and not output.read_text("utf-8", "replace").startswith(TITLE)):
        raise CannotAssemble(f"{output}: is there, and this command has not written it; name another file")
    assembly = Assembly()
    for choice in assembly.choose(root, pieces, session):
        yield choice.row()
    text = assembly.text(output.name)
    for node in ast.walk(ast.parse(text)):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if found := [name for name in names if name.partition(".")[0] in OUTSIDE]:
            raise CannotAssemble(f"a piece imports {found[0]}, which the file has to do without")
    if told := [*assembly.disturbed(text, session)]:
        raise CannotAssemble("\n  ".join(told))
    write_text(output, text)
    own = sum(choice.is_own for choice in assembly.choices)
    yield f"{output}: written, with {own} of {len(assembly.choices)} pieces yours"


def _run(arguments: argparse.Namespace, session: Session) -> int:
    for line in assemble(arguments.exercises, arguments.output, session):
        print(line, flush=True)
    return 0


def add_command(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add ``assemble`` to the command line."""
    made = command(
        "assemble",
        _run,
        "put your answers together into one file, a Transformer that trains on a text; "
        "where an answer has not all its points, the course's solution stands in its place",
    )
    made.add_argument(
        "exercises",
        nargs="?",
        type=Path,
        default=Path("exercises"),
        help="folder of exercises, each with your exercise.ipynb, saved (exercises)",
    )
    made.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("my_transformer.py"),
        help="the file to write (my_transformer.py)",
    )
