"""Classes of submissions whose true results are known, and the command that grades them."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.bank import BankAnswer, read_bank
from autograder.authoring.folders import question_folders
from hostile_cases import EXERCISE, HOSTILE, Hostile, Verdict, notebook_with, questions, source

SEED = 2
AT_ONCE = 2
HANDED_IN = 1_750_000_000
NO_PLACES = {
    "PORT": "9",
    "SECRET": "none",
    **dict.fromkeys(("EXERCISE", "SUBMISSIONS", "GRADES", "OUTSIDE"), "/nowhere"),
}


@dataclass(frozen=True)
class Member:
    """A student: the cells handed in (or a hostile submission), and the results that are true of them."""

    name: str
    verdicts: tuple[Verdict, ...]
    answers: dict[str, str] | None = None
    hostile: Hostile | None = None

    def hand_in(self, submissions: Path, places: dict[str, str]) -> None:
        folder = submissions / self.name
        folder.mkdir(parents=True)
        if self.hostile is not None:
            self.hostile.hand_in(folder, places)
        else:
            (folder / "homework.ipynb").write_text(notebook_with(self.answers), encoding="utf-8")
        for path in [folder, *folder.iterdir()]:
            os.utime(path, (HANDED_IN, HANDED_IN), follow_symlinks=False)


def _answer(given: BankAnswer) -> str:
    return f"# question {given.question}\n{given.source}"


def solved_member() -> Member:
    return Member("honest_solution", (Verdict.of({}),), {})


def honest_member(number: int) -> Member:
    """A student who answers each question rightly, in a named wrong way, or not at all."""
    rng = random.Random(number)
    right, wrong = read_bank(EXERCISE, "right"), read_bank(EXERCISE, "wrong")
    answers, statuses = {}, {}
    for name, question in questions().items():
        kind = rng.choices(("solution", "right", "wrong", "stub"), (3, 3, 3, 1))[0]
        if any(needed in statuses for needed in question.needs):
            kind = "stub"
        if kind == "stub":
            answers[name], statuses[name] = source().stubs[name], ("empty", 0)
        elif kind == "right":
            answers[name] = _answer(rng.choice([answer for answer in right if answer.question == name]))
        elif kind == "wrong":
            mistake = rng.choice([answer for answer in wrong if answer.question == name])
            answers[name] = _answer(mistake)
            kept = sum(part.points for part in question.parts if part.name not in mistake.loses)
            statuses[name] = "ok", kept
    return Member(f"student_{number:03d}", (Verdict.of(statuses),), answers)


def hostile_member(hostile: Hostile) -> Member:
    return Member(hostile.name, hostile.verdicts, hostile=hostile)


def mixed_class(size: int) -> list[Member]:
    """The solved notebook, the blank one, one submission in ten hostile, and honest ones."""
    cells = [h for h in HOSTILE if h.path.parent.name == "cells" and len(h.verdicts) == 1]
    hostile = random.Random(0).sample(cells, max(1, size // 10))
    nothing = Verdict.of(dict.fromkeys(questions(), ("empty", 0)))
    blank = Member("honest_blank", (nothing,), dict(source().stubs))
    members = [solved_member(), blank, *map(hostile_member, hostile)]
    return members + [honest_member(number) for number in range(size - len(members))]


def hasty(exercise: Path, folder: Path, seconds: float) -> Path:
    """A copy of the exercise with another limit of time, and one named mistake a question."""
    copy = folder / exercise.name
    shutil.copytree(exercise, copy)
    for path in question_folders(copy).values():
        with (path / "spec.py").open("a", encoding="utf-8") as stream:
            stream.write(
                f"\nimport dataclasses\n\nQUESTION = dataclasses.replace(QUESTION, seconds={seconds})\n"
            )
        wrong = (path / "wrong.py").read_text(encoding="utf-8").split("\n# %%")
        (path / "wrong.py").write_text("\n# %%".join(wrong[:2]), encoding="utf-8")
    return copy


def command(exercise: Path, submissions: Path, grades: Path, *more: str) -> list[str]:
    words = ["grade", exercise, submissions, "-o", grades, "-j", AT_ONCE, "--seed", SEED, *more]
    return [sys.executable, "-m", "autograder", *map(str, words)]


def grade_class(exercise: Path, submissions: Path, grades: Path) -> subprocess.CompletedProcess:
    run = subprocess.run(command(exercise, submissions, grades), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run


def record(grades: Path, student: str) -> dict:
    path = grades / "submissions" / student / f"{EXERCISE.name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def verdict(grades: Path, student: str) -> Verdict:
    """What the grader said."""
    fields = record(grades, student)
    return Verdict(fields["status"], {q["question"]: (q["status"], q["points"]) for q in fields["questions"]})


def differences(grades: Path, members: Sequence[Member]) -> list[str]:
    """Where what the grader said is not true."""
    return [
        f"{member.name}: {verdict(grades, member.name)}, but true is {member.verdicts}"
        for member in members
        if verdict(grades, member.name) not in member.verdicts
    ]


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its name."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}
