"""Every mutant of every right answer loses points, or equals the reference on 10,000 inputs a part.

Takes about an hour: only `make soak` runs it. tests/graders/test_mutants.py tries a sample.
"""

import os
from pathlib import Path

import pytest
from autograder.proving.mutants import Hunt
from autograder.worker.session import Session
from grader_cases import QUESTIONS, told_of_survivors


@pytest.mark.slow
@pytest.mark.skipif("SOAK" not in os.environ, reason="takes an hour; make soak runs it")
@pytest.mark.parametrize("folder, question", QUESTIONS)
def test_every_mutant_loses_points_or_equals_the_reference(folder: Path, question: str) -> None:
    with Session() as session:
        verdict = Hunt(folder, session).run(question)
    print(f"{question}: {verdict.caught} caught, {len(verdict.equivalent)} equal the reference")
    assert not verdict.survivors, told_of_survivors(verdict)
    assert verdict.caught > 0
