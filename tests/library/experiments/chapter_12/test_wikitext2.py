"""Four ways to read the input, on tales in the place of the articles: every part runs, and resumes."""

import os
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from cli_runs import few_tales

from transformer_lib.data import CORPORA, LanguageModelBatches, WordTokenizer
from transformer_lib.data.sources import FOLDER_VARIABLE
from transformer_lib.experiments import EXPERIMENTS, run
from transformer_lib.experiments.chapter_12 import wikitext2
from transformer_lib.experiments.chapter_12.regularization import AUGMENTATIONS
from transformer_lib.experiments.chapter_12.wikitext2 import (
    BEST,
    BEST_ON_A_GPU,
    LENGTHS,
    ON_A_GPU,
    RECIPE,
    SHARES,
    data_of,
    measure,
    measure_best,
    measure_counts,
    recipe_of,
)
from transformer_lib.text.language_model import read_corpus
from transformer_lib.text.recipe import Recipe
from transformer_lib.training import evaluate_language_model, load_model

TIMES = ("minutes_of_updates", "share_of_evaluations")
FORMS = {"cpu": RECIPE, "gpu": ON_A_GPU, "best": BEST, "best gpu": BEST_ON_A_GPU}


def small(recipe: Recipe) -> Recipe:
    """The recipe on a small shape, for a processor."""
    shape = {"n_layers": 1, "n_heads": 2, "d_model": 16, "context_length": 16}
    quick = {"steps": 10, "warmup_steps": 2, "evaluate_every": 2}
    quick |= {"device": "cpu", "precision": "fp32", "compile": False}
    few = None if recipe.n_others is None else 20
    return replace(recipe, batch_size=4, model=recipe.model | shape, n_others=few).with_training(**quick)


def untimed(found):
    return {key: value for key, value in found.items() if key not in TIMES}


@pytest.fixture
def articles(monkeypatch):
    corpus = few_tales()
    corpus = replace(corpus, tokenizer=WordTokenizer.fit(corpus.train, unknown=True))
    monkeypatch.setitem(CORPORA, "wikitext-2", lambda: corpus)
    monkeypatch.setattr(wikitext2, "WATCHED", 100)
    return corpus


@pytest.mark.parametrize("recipe", FORMS.values(), ids=FORMS)
def test_every_form_is_scored_on_every_token_of_the_test(articles, tmp_path, recipe):
    found = measure_best(1, tmp_path, recipe=small(recipe))
    assert found["scored_tokens"] == data_of()["tokens"]["test"]
    assert found["perplexity"].keys() == {"valid", "test"}
    assert found["perplexity"]["test"] == pytest.approx(np.exp(found["test"]), rel=1e-3)
    watched = {point["step"]: point["valid"] for point in found["curve"]}
    assert found["valid"] == watched[found["best_step"]] == min(watched.values())
    # what is trained is not trained again
    assert measure_best(1, tmp_path, recipe=small(recipe)) == found


def test_the_checkpoint_is_the_best_on_the_beginning_of_validation_in_windows_side_by_side(
    articles, tmp_path
):
    found = measure_best(1, tmp_path, recipe=small(RECIPE))
    model, streams = load_model(tmp_path / "run"), read_corpus(small(RECIPE)).streams
    nats = {
        (part, stride): evaluate_language_model(model, streams[part][:100], stride=stride).nats
        for part in ("valid", "test")
        for stride in (16, 8)
    }
    assert found["valid"] == pytest.approx(nats.pop(("valid", 16)), abs=1e-4)
    for other in nats.values():
        assert found["valid"] != pytest.approx(other, abs=2e-4)


@pytest.mark.parametrize("recipe", [RECIPE, ON_A_GPU], ids=["cpu", "gpu"])
def test_a_run_that_was_stopped_comes_to_the_same(articles, tmp_path, recipe, monkeypatch):
    condition = {"hidden": "input and dimensions", "length": "short", "recipe": small(recipe)}
    whole = measure(0, tmp_path / "whole", **condition)
    batch = LanguageModelBatches.batch

    def stopped(self, step):
        if step == 2:
            raise RuntimeError("the power is out")
        return batch(self, step)

    with monkeypatch.context() as patch:
        patch.setattr(LanguageModelBatches, "batch", stopped)
        with pytest.raises(RuntimeError, match="power"):
            measure(0, tmp_path / "cut", **condition)
    assert untimed(measure(0, tmp_path / "cut", **condition)) == untimed(whole)


def test_the_record_has_each_condition_at_the_better_length(articles, tmp_path):
    few = replace(
        EXPERIMENTS["wikitext2"],
        measure=partial(measure, recipe=small(RECIPE)),
        conditions=EXPERIMENTS["wikitext2"].conditions[1:2],
    )
    record = run(few, tmp_path / "12_wikitext2.json", seeds=[0, 1])
    chosen = record.result["runs"][0]["settings"]["length"]
    assert [one["settings"]["length"] for one in record.result["runs"]] == [chosen] * 2
    for numbers in (record.result["mean"], record.result["standard_deviation"]):
        assert numbers[f"hidden=input length={chosen} perplexity.test"] > 0
    assert record.data["vocabulary"] == articles.tokenizer.vocab_size


def test_the_conditions_differ_in_what_is_hidden_and_in_nothing_else():
    recipes = {hidden: recipe_of(RECIPE, hidden, "long") for hidden in AUGMENTATIONS}
    hides = {
        hidden: (recipe.model["input_dropout"], recipe.model["feature_dropout"])
        for hidden, recipe in recipes.items()
    }
    words, dimensions = SHARES["words"], SHARES["dimensions"]
    assert hides == {
        "plain": (0, 0),
        "input": (words, 0),
        "dimensions": (0, dimensions),
        "input and dimensions": (words, dimensions),
    }
    same = {"input_dropout": 0.0, "feature_dropout": 0.0}
    assert len({str(replace(recipe, model=recipe.model | same)) for recipe in recipes.values()}) == 1
    steps = [recipe_of(RECIPE, "plain", length).training.steps for length in LENGTHS]
    assert steps == [share * RECIPE.training.steps for share in LENGTHS.values()]


def test_a_form_for_a_processor_estimates_its_softmax_and_one_for_a_gpu_does_not():
    for name in ("wikitext2", "wikitext2-best"):
        experiment = EXPERIMENTS[name]
        assert experiment.config["n_others"] and experiment.gpu.config["n_others"] is None
        assert experiment.config["training"]["device"] == "cpu"
        assert experiment.gpu.config["training"]["device"] == "cuda"
    for recipe in FORMS.values():
        assert recipe.config(vocab_size=33_278, start_token=0).tie_embeddings


@pytest.mark.skipif(not os.environ.get(FOLDER_VARIABLE), reason="needs the articles")
@pytest.mark.slow
def test_the_articles_have_their_published_counts():
    found = data_of()
    assert found["vocabulary"] == 33_278
    assert found["tokens"] == {"train": 2_088_628, "valid": 217_646, "test": 245_569}


def test_counting_is_better_with_more_words_and_its_perplexity_is_the_exponential_of_its_nats(
    articles, tmp_path
):
    found = {order: measure_counts(0, tmp_path, order=order) for order in (1, 2, 3)}
    for part in ("valid", "test"):
        assert found[3][part] < found[2][part] < found[1][part]
        for nats in found.values():
            assert nats["perplexity"][part] == pytest.approx(np.exp(nats[part]), rel=1e-3)
