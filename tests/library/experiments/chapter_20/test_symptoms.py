"""Runs with one thing wrong: each differs from the sound one where it should, and nowhere else."""

import pytest

from transformer_lib.experiments.chapter_20.symptoms import MISTAKES, measure

STEPS = 4


@pytest.fixture(scope="module")
def sound():
    return measure(0, mistake="none", steps=STEPS)


def test_a_sound_run_starts_at_the_logarithm_of_the_vocabulary_and_sees_no_later_token(sound):
    assert abs(sound["first"]) < 0.05
    assert sound["later"] < 1e-5


@pytest.mark.parametrize("mistake", MISTAKES[1:])
def test_every_mistake_changes_what_is_seen_and_raises_nothing(mistake, sound):
    found = measure(0, mistake=mistake, steps=STEPS)
    assert found.keys() == sound.keys() and found != sound


def test_only_a_missing_mask_lets_a_later_token_change_a_score():
    seen = {
        mistake: measure(0, mistake=mistake, steps=STEPS)["later"] for mistake in ("no mask", "loud head")
    }
    assert seen["no mask"] > 1e-4 > seen["loud head"]
