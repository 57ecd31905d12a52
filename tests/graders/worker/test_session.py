"""What the process that judges lacks is its own trouble, and says nothing about the student's code."""

import os
from pathlib import Path

import pytest
from autograder.judging.exam import Exam
from autograder.judging.grade import grade
from autograder.worker import preflight
from autograder.worker import session as module
from autograder.worker.launcher import PlainLauncher, PlainProcess
from autograder.worker.session import Limits, Session, WorkerFailed
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


class Saying:
    """A launcher that runs something else than a worker."""

    sandbox = "none"

    def __init__(self, command: str) -> None:
        self.command = command

    def start(self) -> PlainProcess:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("autograder.worker.launcher.sys.executable", self.command)
            return PlainLauncher().start()


@pytest.mark.skipif(os.name == "nt", reason="Windows runs no script of the shell")
@pytest.mark.parametrize(
    "script, told",
    [
        ("sleep 9", "it was not ready after 0.1 seconds"),
        ("exit 3", "it ended"),
        ("echo no module >&2; exit 3", "it ended: no module"),
    ],
)
def test_why_a_worker_does_not_start_is_told(script: str, told: str, tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    limits = Limits(start_seconds=0.1 if "sleep" in script else 60)
    with Session(Saying(str(program)), limits) as session, pytest.raises(WorkerFailed) as failed:
        session.run([], [("", [])], [])
    assert str(failed.value) == f"the worker did not start: {told}"
    remedy = preflight._remedy(str(failed.value))
    assert ("try again when it is idle" in remedy) == ("not ready" in told), "bubblewrap is there"
