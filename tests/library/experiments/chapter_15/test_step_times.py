"""The times of a step, on a model that takes no time."""

import pytest

from transformer_lib.experiments.chapter_15.step_times import EXPERIMENT, LENGTHS, measure


def test_every_run_but_the_compiled_one_is_timed_beside_its_operations():
    found = measure(
        0, length=8, tokens=16, repeats=1, compiles=False, vocab_size=11, d_model=8, n_heads=2, n_layers=1
    )
    timed = ["forward", "step", "step, checkpointed", "step, bf16"]
    assert list(found) == [*timed, "forward, operations", "step, operations"]
    assert all(value > 0 for value in found.values())
    assert found["step, operations"] == pytest.approx(3 * found["forward, operations"], rel=0.1)
    assert [condition["length"] for condition in EXPERIMENT.conditions] == list(LENGTHS)
