"""The exercises and questions that the graders are proven on: the course's, and the sample."""

import functools
import hashlib
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from autograder.authoring.bank import BankAnswer, read_bank
from autograder.authoring.layers import Layers
from autograder.judging.exam import Exam
from autograder.judging.fixtures import read_exam
from autograder.proving.mutants import Verdict
from autograder.proving.proof import MORE_SEEDS

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = Path(__file__).parent / "sample_exercise" / "01_sample"
FOLDERS = [*sorted(path.parent for path in ROOT.glob("exercises/[0-9][0-9]_*/exercise.md")), SAMPLE]


def question_ids(folder: Path) -> list[str]:
    text = (folder / "exercise.md").read_text(encoding="utf-8")
    return re.findall(r"^# question (\d\d\.\d+)$", text, re.MULTILINE)


def bank_answer(folder: Path, side: str, question: str, name: str) -> BankAnswer:
    """The right or wrong answer of that name."""
    found = [a for a in read_bank(folder, side) if (a.question, a.name) == (question, name)]
    assert len(found) == 1, f"{folder.name}: {len(found)} {side} answers to {question} are named {name}"
    return found[0]


@functools.cache
def public_exam(folder: Path) -> Exam:
    """The exam that students have, read once: those of some folders are large."""
    return read_exam((folder / "fixtures.json").read_text(encoding="utf-8"), "fixtures.json")


QUESTIONS = [
    pytest.param(folder, q, id=f"{folder.name}-{q}") for folder in FOLDERS for q in question_ids(folder)
]


# of the course's questions each is fully proven under its certificate; so many are proven again
AGAIN = 1


def certified_digest(folder: Path, question: str) -> str:
    """Decides which questions are proven again: another selection when something changes."""
    path = Layers(folder).certificate_path(question)
    return hashlib.sha256(path.read_bytes() if path.is_file() else b"").hexdigest()


def sampled() -> list[Any]:
    """The sample's questions, and some of the course's."""
    pairs = [(f, q) for f in FOLDERS if f != SAMPLE for q in question_ids(f)]
    chosen = sorted(pairs, key=lambda pair: certified_digest(*pair))[:AGAIN]
    chosen += [(SAMPLE, q) for q in question_ids(SAMPLE)]
    return [pytest.param(folder, q, id=f"{folder.name}-{q}") for folder, q in chosen]


SAMPLED = sampled()


def seeds_again(folder: Path, question: str) -> list[int]:
    """Of the seeds that a certificate is made at beyond the first three, four by lot; in a soak all."""
    if "SOAK" in os.environ or folder == SAMPLE:
        return list(MORE_SEEDS)
    return random.Random(certified_digest(folder, question)).sample(MORE_SEEDS, 4)


def by_lot(cases: list[Any], share: int = 3) -> list[Any]:
    """Of cases (folder, question, ...) the sample's and one in ``share`` of the course's; all in a soak.

    The certificates decide which: others when one changes.
    """
    if "SOAK" in os.environ:
        return cases

    def lot(case: Any) -> bytes:
        folder, question, *_ = case.values
        return hashlib.sha256(f"{certified_digest(folder, question.id)} {case.id}".encode()).digest()

    course = sorted((case for case in cases if case.values[0] != SAMPLE), key=lot)
    return [*(case for case in cases if case.values[0] == SAMPLE), *course[::share]]


def told_of_survivors(verdict: Verdict) -> str:
    return "\n\n".join(f"{mutant}\n{mutant.source}\n{told}" for mutant, told in verdict.survivors)
