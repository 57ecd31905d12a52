"""The bank of hostile submissions to exercise 06, and what each of them truly earns.

A file of ``hostile/cells`` holds cells that replace those of the solved notebook, so that each submission has
honest right answers too, which must keep their points. Lines such as

    # 06.1: crashed, keeps values, mask

before the first cell declare what is not fully won: the question's status (two of them, ``timeout or
out-of-memory``, where two limits race), and the parts that are won all the same. A file of ``hostile/files``
writes a whole submission; ``# all: unreadable`` is one without points.

A submission that gets what it must not have raises an error that says ESCAPED. Words such as @OUTSIDE@ become
the places that the test watches.

All of the bank is graded where anything has changed of the grader, the exercise or the bank since all of it
passed, and in a soak; otherwise a part. When all has passed, say so, and commit the file:

    python tests/graders/hostile_cases.py
"""

import hashlib
import importlib.util
import itertools
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from autograder.authoring.folders import load_questions
from autograder.authoring.source import Source, mark_of, read_source
from autograder.authoring.spec import Question
from autograder.authoring.version import digest
from autograder.judging.exam import PUBLIC_SEED
from grader_cases import ROOT, public_exam

EXERCISE = ROOT / "exercises" / "06_self_attention"
BANK = Path(__file__).parent / "hostile"
PASSED = BANK / "passed.txt"
SHARE = 4
WORST_FIRST = ("timeout", "out-of-memory", "crashed", "ok")
ALL = re.compile(r"^# all: ([a-z-]+)$", re.MULTILINE)
ONE = re.compile(r"^# (\d\d\.\d+): ([a-z-]+)(?: or ([a-z-]+))?(?:, keeps (.+))?$", re.MULTILINE)
FIRST_CELL = re.compile(r"^# (?:setup|question \d\d\.\d+)$", re.MULTILINE)


@cache
def source() -> Source:
    return read_source(EXERCISE / "exercise.md")


@cache
def questions() -> dict[str, Question]:
    return {question.id: question for question in load_questions(EXERCISE)}


@dataclass(frozen=True)
class Verdict:
    """A true result: the submission's status, and status and points of each question."""

    status: str
    questions: dict[str, tuple[str, int]]

    @classmethod
    def of(cls, statuses: dict[str, tuple[str, int]]) -> "Verdict":
        """With full marks for the questions that ``statuses`` leaves out."""
        full = {q: ("ok", question.points) for q, question in questions().items()}
        found = full | statuses
        told = {status for status, _ in found.values()}
        if told <= {"empty", "missing"}:
            return cls("empty", found)
        return cls(next((status for status in WORST_FIRST if status in told), "ok"), found)


def declared(text: str) -> tuple[Verdict, ...]:
    """The true result that a file declares; several where two limits race for the end of a question."""
    header = FIRST_CELL.split(text)[0]
    if whole := ALL.search(header):
        return (Verdict(whole[1], {q: (whole[1], 0) for q in questions()}),)
    lost: list[list[tuple[str, tuple[str, int]]]] = []
    for question, status, other, kept in ONE.findall(header):
        points = {part.name: part.points for part in questions()[question].parts}
        won = sum(points[name] for name in kept.split(", ") if name)
        lost.append([(question, (one, won)) for one in (status, other) if one])
    return tuple(Verdict.of(dict(chosen)) for chosen in itertools.product(*lost))


def _marked(text: str) -> dict[str, str]:
    """The cells of a file, by their marks."""
    starts = [found.start() for found in FIRST_CELL.finditer(text)]
    pieces = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)])]
    return {mark_of(piece): piece for piece in pieces}


@cache
def _public_answers() -> str:
    """The outputs of 06.1 that the student's kit carries, by the sum of the query."""
    exam = public_exam(EXERCISE)
    assert exam.seed == PUBLIC_SEED
    cases = [
        case for part in exam.questions["06.1"].parts for case in part.cases if "output" in case.expected
    ]
    sums = [f"{case.plain_inputs()['query'].astype('f8').sum():.6f}" for case in cases]
    return repr({key: case.expected["output"].tolist() for key, case in zip(sums, cases)})


def notebook(sources: list[str]) -> str:
    cells = [nbformat.v4.new_code_cell(text, id=f"cell{i}") for i, text in enumerate(sources)]
    return json.dumps(nbformat.v4.new_notebook(cells=cells))


def notebook_with(answers: dict[str, str]) -> str:
    """The solved notebook with other cells for some questions, or another setup."""
    cells = {"setup": source().setup, **source().solutions, **answers}
    return notebook([text for text in cells.values() if text])


@dataclass(frozen=True)
class Hostile:
    """One file of the bank."""

    path: Path

    @property
    def name(self) -> str:
        return f"hostile_{self.path.stem}"

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return declared(self.text)

    def hand_in(self, folder: Path, places: dict[str, str]) -> None:
        """Writes the submission into its student's folder."""
        if self.path.parent.name == "files":
            specification = importlib.util.spec_from_file_location(self.name, self.path)
            module = importlib.util.module_from_spec(specification)
            specification.loader.exec_module(module)
            module.write(folder, notebook_with({}))
        else:
            answers = {mark: self._filled(mark, text, places) for mark, text in _marked(self.text).items()}
            (folder / "homework.ipynb").write_text(notebook_with(answers), encoding="utf-8")

    def _filled(self, mark: str, text: str, places: dict[str, str]) -> str:
        if "@NOTHING@" in text:
            return ""
        words = {
            **places,
            "SOLUTION": source().solutions.get(mark, "").partition("\n")[2],
            "GIANT": "a\n" * 5_000_000,
            "OPENED": "[" * 5000,
            "MINUS": "-" * 50_000,
            "PLUS": "+1" * 50_000,
        }
        if "@PUBLIC@" in text:
            words["PUBLIC"] = _public_answers()
        return re.sub(r"@([A-Z]+)@", lambda found: words.get(found[1], found[0]), text)


HOSTILE = [Hostile(path) for path in sorted(BANK.glob("*/*.py"))]


def state() -> str:
    """A digest of all that decides what becomes of the bank."""
    package = ROOT / "exercises" / "autograder" / "autograder"
    paths = [*package.rglob("*.py"), *EXERCISE.rglob("*.py"), EXERCISE / "exercise.md", *BANK.glob("*/*.py")]
    paths += [ROOT / "constraints.txt", Path(__file__)]
    return digest((str(path.relative_to(ROOT)), path.read_bytes()) for path in sorted(paths))


def to_grade(now: str, passed: str, always: str = "public_answers") -> list[Hostile]:
    """All, or where all has passed in this state: those that need little, and one in four of the others."""
    cells = [hostile for hostile in HOSTILE if hostile.path.parent.name == "cells"]
    if now == passed and "SOAK" not in os.environ:
        by_lot = sorted(cells, key=lambda one: hashlib.sha256(f"{now}{one.name}".encode()).digest())
        kept = {one for n, one in enumerate(by_lot) if n % SHARE == 0 or one.path.stem == always}
    else:
        kept = set(cells)
    return [hostile for hostile in HOSTILE if hostile in kept or hostile not in cells]


if __name__ == "__main__":
    PASSED.write_text(state() + "\n", encoding="utf-8", newline="\n")
