"""What the process that judges lacks is its own trouble, and says nothing about the student's code."""

from pathlib import Path

import pytest
from autograder.judging.exam import Exam
from autograder.judging.grade import grade
from autograder.worker import session as module
from autograder.worker.session import Session, WorkerFailed
from class_cases import answering


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["read_message", "write_message"])
@pytest.mark.parametrize("good", [0, 1])
def test_a_grader_without_memory_fails_instead_of_giving_no_points(
    direction: str, good: int, sample_exam: Exam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after the first message: the worker's start, or the request."""
    real, calls = getattr(module, direction), []

    def fail(*arguments: object) -> object:
        calls.append(direction)
        if len(calls) > good:
            raise MemoryError
        return real(*arguments)

    monkeypatch.setattr(module, direction, fail)
    path = tmp_path / "ada.ipynb"
    path.write_bytes(answering("01.1"))
    with Session() as session, pytest.raises(WorkerFailed, match="no memory left"):
        grade(sample_exam, path, session)
