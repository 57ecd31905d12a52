"""A class with hostile members: every result true, also after the grader is killed."""

import shutil
from pathlib import Path

import pytest
from class_runs import NO_PLACES, Member, differences, grade_class, hasty, mixed_class
from hostile_cases import EXERCISE
from killed_class import killed_and_restarted, the_same

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap (apt install bubblewrap)"),
]
MEMBERS = mixed_class(6)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    hasty(EXERCISE, folder, 10.0)
    for member in MEMBERS:
        member.hand_in(folder / "submissions", NO_PLACES)
    grade_class(folder / EXERCISE.name, folder / "submissions", folder / "grades")
    return folder


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.name)
def test_every_member_of_a_class_gets_the_true_result(member: Member, graded: Path) -> None:
    assert differences(graded / "grades", [member]) == []


def test_a_grader_that_is_killed_and_started_again_loses_and_repeats_nothing(
    graded: Path, tmp_path: Path
) -> None:
    exercise, submissions = graded / EXERCISE.name, graded / "submissions"
    killed_and_restarted(exercise, submissions, tmp_path / "grades", kills=1, seed=0)
    assert the_same(graded / "grades", tmp_path / "grades") == []
