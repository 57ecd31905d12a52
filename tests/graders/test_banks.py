"""The proof of the graders over every exercise: banks, stubs, fresh fixtures, no leak."""

import functools
from pathlib import Path

import pytest
from autograder.build import problems
from autograder.proof import Proof
from autograder.session import Session
from grader_cases import FOLDERS, QUESTIONS, question_ids


@functools.cache
def proof_of(folder: Path, session: Session) -> Proof:
    return Proof.of(folder, session)


@pytest.mark.parametrize("folder, question", QUESTIONS)
def test_right_answers_win_all_and_wrong_ones_lose_what_they_declare(
    folder: Path, question: str, session: Session
) -> None:
    failures = list(proof_of(folder, session).failures(question, session))
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_generated_files_are_fresh_and_show_no_solution(folder: Path, session: Session) -> None:
    assert problems(folder, session) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_cell_marked_as_a_question_is_specified(folder: Path, session: Session) -> None:
    assert question_ids(folder) == proof_of(folder, session).questions
