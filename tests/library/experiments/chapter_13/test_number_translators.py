"""Translators of number words: how they are built, scheduled, trained and read, and what is compared."""

import math

import pytest
import torch

from transformer_lib.equations.papers_training import warm_up_rate
from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_05 import bottleneck
from transformer_lib.experiments.chapter_13 import number_translators as module

TINY = {"d_model": 8, "n_heads": 2, "n_layers": 1}


@pytest.fixture(autouse=True)
def few_numbers(monkeypatch):
    """A corpus that is made in no time."""
    caches = bottleneck.words, bottleneck.tokenizers, bottleneck.parts, module.some
    for function in caches:
        function.cache_clear()
    monkeypatch.setattr(bottleneck, "N_TRAIN", 40)
    monkeypatch.setattr(bottleneck, "N_TEST", 4)
    yield
    for function in caches:
        function.cache_clear()


def test_a_model_has_stratos_form_with_scaled_embeddings():
    config = module.build(0).config
    assert (config.norm, config.activation, config.positions) == ("post", "relu", "sinusoidal")
    assert config.bias and config.scale_embeddings and config.dropout == 0.0
    assert module.build(0, norm="pre", scale_embeddings=False).config.norm == "pre"


def test_the_schedule_is_the_paper_s_up_to_a_factor_and_differs_without_warm_up_at_the_start_alone():
    peak = warm_up_rate(50, 64, 50)
    for step in range(200):
        warmed, cold = (module.factor(step, 50, is_warmed) for is_warmed in (True, False))
        assert warmed == pytest.approx(warm_up_rate(step + 1, 64, 50) / peak)
        assert cold == (1.0 if step + 1 < 50 else warmed)


def test_the_rate_at_each_step_is_the_schedule_s(monkeypatch):
    rates = []
    step = torch.optim.Adam.step

    def watched(self, *args, **kwargs):
        rates.append(self.param_groups[0]["lr"])
        return step(self, *args, **kwargs)

    monkeypatch.setattr(torch.optim.Adam, "step", watched)
    model = module.build(0, **TINY)
    train = bottleneck.parts(unit="parts")[0]
    list(module.fit(model, train, seed=0, rate=0.5, steps=4, warmup=2))
    assert rates == pytest.approx([0.25, 0.5, 0.5 * math.sqrt(2 / 3), 0.5 * math.sqrt(2 / 4)])


def test_a_batch_holds_numbers_of_all_lengths_and_its_padding_changes_no_loss():
    train, _ = bottleneck.parts(unit="parts")
    batch = module.draw(train, torch.Generator().manual_seed(0))
    assert len(batch.lengths) == bottleneck.BATCH and len(batch.lengths.unique()) > 5
    model = module.build(0, **TINY).eval()
    sums, count = 0.0, 0
    for row in range(len(batch.lengths)):
        alone = batch.rows(torch.tensor([row]))
        words = int((alone.targets >= 0).sum())
        sums, count = sums + words * module.nats(model, alone).item(), count + words
    assert module.nats(model, batch).item() == pytest.approx(sums / count, rel=1e-4)


def test_few_pairs_are_the_first_of_each_length():
    few, (whole, _) = module.some(3), bottleneck.parts(unit="parts")
    for digits, pairs in few.items():
        assert len(pairs.lengths) == 3
        assert torch.equal(pairs.lengths, whole[digits].lengths[:3])


def test_a_seed_trains_the_same_again_also_with_dropout():
    options = {"rate": 0.01, "steps": (1, 3), "warmup": 2, "dropout": 0.2, **TINY}
    first, second = (module.train(1, **options)[1] for _ in range(2))
    for scored in (first, second):
        assert [part.pop("seconds") >= 0 for part in scored.values()] == [True, True]
    assert first == second and set(first["3"]) == {*(f"{n} digits" for n in (2, 3, 4, 5, 6)), "exact", "nats"}


@pytest.mark.slow
def test_each_condition_is_measured_with_its_settings(monkeypatch):
    asked = []

    def trained(seed, **settings):
        asked.append(settings)
        scored = {"nats": 1.0, "exact": 0.5}
        return None, {str(step): scored for step in settings.get("steps", module.STEPS)}

    def recurrent(seed, **settings):
        scored = {f"{n} digits": 0.5 for n in bottleneck.DIGITS}
        return None, {str(step): scored for step in settings["steps"]}

    def fitted(model, train, **settings):
        asked.append(settings | {"norm": model.config.norm})
        return iter(())

    monkeypatch.setattr(module, "outputs_of", lambda model: {"outputs": {"translations": ["one"]}})
    monkeypatch.setattr(module, "fit", fitted)
    monkeypatch.setattr(module, "train", trained)
    monkeypatch.setattr(bottleneck, "train", recurrent)
    for experiment in (module.BESIDE, module.WARMUP, module.SIZING):
        for condition in experiment.conditions:
            run_seed(experiment, 0, **condition)
    assert [a["scale_embeddings"] for a in asked if "scale_embeddings" in a] == [False]
    warmed = [(a["norm"], a["is_warmed"], a["rate"]) for a in asked if "norm" in a]
    assert len(set(warmed)) == 12 == len(warmed)
    sized = [(a["d_model"], a["dropout"], a["rate"]) for a in asked if "dropout" in a]
    assert len(set(sized)) == 4 == len(sized)
    scores = run_seed(module.BESIDE, 0, model="recurrent")
    assert scores["400"]["exact"] == 0.5 and scores["outputs"] == {"translations": ["one"]}


def test_the_translations_are_those_of_the_whole_test_part_in_order(monkeypatch):
    def right(model, pairs):
        return pairs.targets.clamp(min=0)

    monkeypatch.setattr(bottleneck, "translate", right)
    references = [english for digits in bottleneck.DIGITS for _, english in bottleneck.words(digits)[1]]
    assert module.outputs_of(module.build(0))["outputs"]["translations"] == references
