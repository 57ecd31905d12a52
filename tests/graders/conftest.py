"""What the tests of the graders share: a warm worker, and the sample exercise."""

import pytest
from autograder.authoring.source import Source, read_source
from autograder.judging.exam import Exam
from autograder.judging.fixtures import exam_text, read_exam
from autograder.worker.session import Session
from grader_cases import SAMPLE


@pytest.fixture(scope="session")
def session():
    with Session() as warm:
        yield warm


@pytest.fixture(scope="session")
def sample_source() -> Source:
    return read_source(SAMPLE / "exercise.md")


@pytest.fixture(scope="session")
def sample_exam(session: Session) -> Exam:
    return read_exam(exam_text(Exam.at_seed(SAMPLE, 0, session)), "fixtures.json")
