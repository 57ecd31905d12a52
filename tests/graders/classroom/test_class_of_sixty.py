"""Every row of a class of sixty is the one computed by hand, also where the run is stopped and goes on.

No worker is started here: what a notebook earns is written down. tests/soak does it with workers and signals.
"""

import dataclasses
import errno
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from autograder.__main__ import main
from autograder.authoring.layers import Layers
from autograder.files import write_if_changed
from autograder.judging.exam import Exam
from autograder.judging.grade import Conditions, Grade, unrun_all
from autograder.worker.session import Session
from class_of_sixty import SIZE, SixtyClass, class_of, differences
from grader_cases import SAMPLE


@pytest.fixture(scope="module")
def made() -> SixtyClass:
    return class_of(SIZE)


@pytest.fixture
def run(
    made: SixtyClass, monkeypatch: pytest.MonkeyPatch, sample_exam: Exam, tmp_path: Path
) -> Callable[..., int]:
    """The command, with what each notebook earns looked up."""

    def looked_up(exam: Exam, path: Path, session: Session, name: str) -> Grade:
        run.before(name)
        content = path.read_bytes()
        answers, results = made.true[content], []
        for result in unrun_all(exam.questions.values(), answers.status):
            left, parts = answers.won[result.question], []
            for part in result.parts:
                parts.append(dataclasses.replace(part, points=min(left, part.max_points)))
                left -= parts[-1].points
            results.append(dataclasses.replace(result, parts=tuple(parts)))
        conditions = Conditions.of(exam.seed, exam.version, session)
        message, digest = answers.message.format(label=name), hashlib.sha256(content).hexdigest()
        return Grade(exam.exercise, name, answers.status, tuple(results), message, digest, conditions)

    def at_seed(folder: Path, seed: int, session: Session, overlay: Path | None = None) -> Exam:
        return dataclasses.replace(sample_exam, seed=seed, version=Layers.of(folder, overlay).version())

    monkeypatch.setattr("autograder.classroom.classroom.grade", looked_up)
    monkeypatch.setattr("autograder.classroom.statistics.as_plot", lambda found: b"a plot takes a second")
    monkeypatch.setattr("autograder.classroom.classroom.Exam.at_seed", at_seed)
    words = [
        "grade",
        str(SAMPLE),
        str(tmp_path / "class.zip"),
        "-o",
        str(tmp_path / "grades"),
        "--no-sandbox",
    ]
    words += made.write(tmp_path)

    def run(*more: str) -> int:
        return main([*words, "-j", "1", *more])

    run.before = lambda name: None
    return run


def test_every_row_is_the_one_computed_by_hand(made: SixtyClass, run, tmp_path: Path, capsys) -> None:
    assert len(made.rows) == SIZE
    assert run() == 0
    assert differences(tmp_path / "grades", made) == []
    assert "warning: lowered, 01_sample, 01.1: set by hand to 2" in capsys.readouterr().out


def test_a_wrong_row_would_be_found(made: SixtyClass, run, tmp_path: Path) -> None:
    assert run("--late-policy", "10%/day,max=50%,grace=15m") == 0
    marked = [student for student, row in made.rows.items() if row["late"] == "yes" and not row["late_by"]]
    assert marked
    assert {told.partition(",")[0] for told in differences(tmp_path / "grades", made)} == set(marked)


def test_every_row_is_right_after_interruptions_and_a_full_disk(
    made: SixtyClass, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    stops = [5, 17, 30]

    def interrupt(name: str) -> None:
        asked.append(name)
        if len(asked) in stops:
            raise KeyboardInterrupt

    run.before = interrupt
    assert [run() for _ in stops] == [130] * len(stops)

    def full(path: Path, content: str) -> None:
        if path.name.endswith(".html") and not path.exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        write_if_changed(path, content)

    with monkeypatch.context() as patch:
        patch.setattr("autograder.classroom.classroom.write_if_changed", full)
        assert run() == 2
    assert run() == 0
    assert differences(tmp_path / "grades", made) == []
    repeated = [name for name in set(asked) if asked.count(name) > 1]
    assert len(repeated) <= len(stops) + 1, "only what was being graded at a stop is graded again"


def test_no_row_depends_on_who_else_hands_in(made: SixtyClass, run, tmp_path: Path) -> None:
    """Half of the class alone has the rows that it has in the whole, but for those whom names confuse."""
    half = made.entries[::2]
    rest = dataclasses.replace(made, entries=half)
    rest.write(tmp_path)
    assert run() == 0
    kept = {name for name, _, _ in half}
    whole = {
        student
        for student, row in made.rows.items()
        if row["submitted"] and not row["notes"] and _places(made, student) <= kept
    }
    wrong = {told.partition(",")[0] for told in differences(tmp_path / "grades", made)}
    assert whole and not whole & wrong


def _places(made: SixtyClass, student: str) -> set[str]:
    """The names that hold a number of the student's."""
    numbers = {number for key, _, _, *ids, _ in made.roster if key == student for number in ids if number}
    return {place for place, _, _ in made.entries if any(f"_{number}_" in place for number in numbers)}
