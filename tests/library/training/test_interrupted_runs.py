"""A run that is interrupted at any moment, meets another, a full disk or NaN loses nothing, and says so."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import interrupted_runs
import pytest
from interrupted_runs import NO_SPACE, PER_SIGNAL, STEPS

from transformer_lib.training import BEST, LAST

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory) -> dict[str, list[SimpleNamespace]]:
    """By kind; no run of these tests shares a process with another test."""
    folder = tmp_path_factory.mktemp("interrupted")
    command = [sys.executable, interrupted_runs.__file__, str(folder)]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, list[SimpleNamespace]] = {}
    for line in run.stdout.splitlines():
        fields = json.loads(line)
        found.setdefault(fields["kind"], []).append(SimpleNamespace(**fields))
    return found


@pytest.mark.parametrize("kind", ["SIGINT", "SIGKILL", "full", "two", "nan"])
def test_a_run_ends_as_if_nothing_had_come_between(outcomes, kind):
    (whole,) = outcomes["whole"]
    assert set(whole.end) == {BEST, LAST, "record.json"}
    for one in outcomes[kind]:
        assert one.code_again == 0, (one.moment, one.told_again)
        assert one.end == whole.end, one.moment


@pytest.mark.parametrize("kind", ["SIGINT", "SIGKILL", "full", "two", "nan"])
def test_no_moment_leaves_a_checkpoint_that_is_cut_short_or_not_finite(outcomes, kind):
    for one in outcomes[kind]:
        assert all(isinstance(step, int) for step in one.files.values()), (one.moment, one.files)


def test_ctrl_c_saves_the_step_that_was_under_way_and_says_how_to_go_on(outcomes):
    moments = outcomes["SIGINT"]
    assert len(moments) == PER_SIGNAL
    assert any("half written" in one.moment for one in moments)
    for one in moments:
        assert one.code == 130, (one.moment, one.told)
        assert one.files[LAST] == min(one.steps + 1, STEPS), one.moment
        command = "train --resume --run-dir run --no-ngrams"
        assert one.told.endswith(f"saved in run. Continue with: python -m transformer_lib {command}")
        assert one.left == [], one.moment


def test_a_kill_loses_only_the_steps_since_the_last_save(outcomes):
    moments = outcomes["SIGKILL"]
    assert len(moments) == PER_SIGNAL
    assert any("half written" in one.moment for one in moments)
    for one in moments:
        assert one.code == -9, (one.moment, one.told)
        assert one.files.get(LAST, 0) == one.saved, one.moment


def test_a_full_disk_ends_in_one_line_and_takes_no_file(outcomes):
    for one in outcomes["full"]:
        assert (one.code, one.left) == (2, []), (one.moment, one.told)
        assert one.told.startswith("python -m transformer_lib: error: ")
        assert NO_SPACE in one.told
        assert "run keeps what was saved before; --resume goes on from there" in one.told
        assert one.files[LAST] == one.saved > 0, one.moment


def test_a_second_run_in_a_folder_is_refused_and_the_first_goes_on(outcomes):
    assert len(outcomes["two"]) == 3
    for one in outcomes["two"]:
        assert one.code == 2, (one.moment, one.told)
        assert "run is in use by another run (process " in one.told
        assert one.files[LAST] == one.saved > 0, one.moment


def test_nan_is_never_saved_and_its_step_is_named(outcomes):
    first, before_save, in_evaluation = outcomes["nan"]
    for one in outcomes["nan"]:
        assert (one.code, one.left) == (1, []), (one.moment, one.told)
        assert f"after step {one.steps}" in one.told or f"of step {one.steps}" in one.told, one.told
    assert first.files == {}
    assert before_save.files == {BEST: 3, LAST: 2}
    assert in_evaluation.files == {LAST: 2}
    for one in (before_save, in_evaluation):
        assert "run keeps what was saved before; --resume goes on from there" in one.told
