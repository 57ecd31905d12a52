"""The exercises and questions that the graders are proven on: the course's, and the sample."""

import re
from pathlib import Path

import pytest
from autograder.proving.mutants import Verdict

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = Path(__file__).parent / "sample_exercise" / "01_sample"
FOLDERS = [*sorted(path.parent for path in ROOT.glob("exercises/[0-9][0-9]_*/exercise.md")), SAMPLE]


def question_ids(folder: Path) -> list[str]:
    text = (folder / "exercise.md").read_text(encoding="utf-8")
    return re.findall(r"^# question (\d\d\.\d+)$", text, re.MULTILINE)


QUESTIONS = [
    pytest.param(folder, q, id=f"{folder.name}-{q}") for folder in FOLDERS for q in question_ids(folder)
]


def told_of_survivors(verdict: Verdict) -> str:
    return "\n\n".join(f"{mutant}\n{mutant.source}\n{told}" for mutant, told in verdict.survivors)
