"""AdamW beside Muon on the docstrings: each condition can be measured, and a measurement resumes."""

from dataclasses import replace

import pytest

from transformer_lib.data import LanguageModelBatches
from transformer_lib.experiments.chapter_15 import optimizers

SMALL = {"d_model": 16, "n_heads": 2, "n_layers": 1, "context_length": 8}


@pytest.fixture
def small(monkeypatch) -> None:
    recipe = replace(optimizers.RECIPE, batch_size=2, model=SMALL)
    monkeypatch.setattr(optimizers, "RECIPE", recipe)
    monkeypatch.setattr(optimizers, "SCORED", 200)


@pytest.mark.slow
def test_the_optimizers_differ_and_a_finished_run_is_read_again(small, tmp_path, monkeypatch):
    found = {
        optimizer: optimizers.measure(0, tmp_path / optimizer, optimizer=optimizer, steps=3, rate=0.01)
        for optimizer in ("adamw", "muon")
    }
    assert found["adamw"]["valid"] != found["muon"]["valid"]
    monkeypatch.setattr(LanguageModelBatches, "batch", lambda self, step: pytest.fail("it was trained again"))
    again = optimizers.measure(0, tmp_path / "muon", optimizer="muon", steps=3, rate=0.01)
    assert again == found["muon"]


def test_every_condition_names_what_a_measurement_takes():
    for condition in optimizers.EXPERIMENT.conditions:
        assert condition.keys() == {"optimizer", "steps", "rate"}
        assert condition["rate"].values == optimizers.RATES
    of_each = {"optimizer", "steps", "learning_rate", "seed"}
    assert not of_each & optimizers.EXPERIMENT.config["training"].keys()
