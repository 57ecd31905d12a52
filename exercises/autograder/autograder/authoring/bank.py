"""The bank of a question: right answers and named mistakes, the cells of its right.py and wrong.py.

A cell holds what a student could have written. It begins with its name and its explanation, and in wrong.py
the line below says which parts the mistake loses::

    # %% no_scale: attention without the 1/sqrt(d_head) scale
    # loses: values, mask
    def attention(query, key, value): ...
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.folders import question_folders
from autograder.authoring.spec import SpecificationError

CELL = re.compile(r"# ?%%(.*)")
TITLE = re.compile(r"\s+(\w+): +(\S.*?)\s*")
LOSES = re.compile(r"# loses:(.*)")
FORM = {
    "right": "'# %% einsum: Einstein sums' and has code below",
    "wrong": "'# %% no_scale: attention without the scale' and has code below",
}


@dataclass(frozen=True)
class BankAnswer:
    """A right or wrong answer of the bank: the cell that begins at ``line`` of the file ``path``."""

    path: Path
    line: int
    question: str
    name: str
    explanation: str
    loses: tuple[str, ...]
    source: str

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"{self.path}, line {self.line}"

    def __str__(self) -> str:
        return f"{self.path.name}: {self.name}"


def read_bank(folder: Path, side: str) -> list[BankAnswer]:
    """The right or the wrong answers to all questions of an exercise folder, in order."""
    found = question_folders(folder).items()
    return [answer for question, path in found for answer in read_answers(path / f"{side}.py", question)]


def read_answers(path: Path, question: str) -> list[BankAnswer]:
    """The answers in a right.py or wrong.py; none if there is no such file."""
    if not path.is_file():
        return []
    side, lines = path.stem, path.read_text(encoding="utf-8").split("\n")
    found: dict[str, BankAnswer] = {}
    starts = [number for number, line in enumerate(lines) if CELL.match(line)]
    _check_head(path, lines[: min(starts, default=len(lines))], side)
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        answer = _answer(path, question, start, lines[start:end])
        if answer.name in found:
            first = found[answer.name].line
            raise SpecificationError(
                f"{answer.place}: line {first} has the name {answer.name!r} too; choose another"
            )
        found[answer.name] = answer
    return list(found.values())


def _check_head(path: Path, lines: list[str], side: str) -> None:
    body = _parsed(path, 0, lines).body
    for node in body[1:] if body and ast.get_docstring(ast.Module(body[:1], [])) else body:
        raise SpecificationError(
            f"{path}, line {node.lineno}: this stands before the first cell; a cell begins like {FORM[side]}"
        )


def _answer(path: Path, question: str, start: int, lines: list[str]) -> BankAnswer:
    """The answer of the cell whose first line has the number ``start``, counted from 0."""
    place, side = f"{path}, line {start + 1}", path.stem
    titled = TITLE.fullmatch(CELL.match(lines[0])[1])  # type: ignore[index]
    if titled is None:
        raise SpecificationError(
            f"{place}: has no name with an explanation after a colon; a cell begins like {FORM[side]}"
        )
    told = LOSES.fullmatch(lines[1].rstrip()) if len(lines) > 1 else None
    loses = tuple(name.strip() for name in told[1].split(",")) if told else ()
    if side == "wrong" and (not loses or "" in loses):
        raise SpecificationError(
            f"{place}: the line below should say which parts {titled[1]} loses, like '# loses: values, mask'"
        )
    if side == "right" and told:
        raise SpecificationError(f"{path}, line {start + 2}: a right answer loses nothing; remove this line")
    skipped = 2 if told else 1
    if not _parsed(path, start + skipped, lines[skipped:]).body:
        raise SpecificationError(f"{place}: {titled[1]} has no code; a cell begins like {FORM[side]}")
    source = "\n".join(lines[skipped:]).strip("\n") + "\n"
    return BankAnswer(path, start + 1, question, titled[1], titled[2], loses, source)


def _parsed(path: Path, start: int, lines: list[str]) -> ast.Module:
    """The syntax tree of lines of a file, the first of which has the number ``start``."""
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError as error:
        line = start + (error.lineno or 1)
        raise SpecificationError(f"{path}, line {line}: is not Python: {error.msg}") from None
    return ast.increment_lineno(tree, start)
