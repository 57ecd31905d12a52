"""Two recipes for equally long on a small text in the place of the plays: every part runs, and resumes."""

import os
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from transformer_lib.data import CORPORA, CharTokenizer, Corpus, load_corpus, load_tales
from transformer_lib.data.corpus import split_text
from transformer_lib.data.sources import FOLDER_VARIABLE
from transformer_lib.experiments import EXPERIMENTS, load_results, run
from transformer_lib.experiments.chapter_11 import shakespeare
from transformer_lib.experiments.chapter_11.shakespeare import (
    AT_THE_SAME_TIME,
    BEST,
    BEST_ON_A_GPU,
    LARGE_AT_THE_SAME_TIME,
    NANOGPT,
    WRITER,
    data_of,
    measure,
    measure_best,
    measure_counts,
    measure_written,
    parts,
)
from transformer_lib.text.language_model import fit, read_corpus
from transformer_lib.text.recipe import Recipe
from transformer_lib.training import evaluate_language_model, load_model
from transformer_lib.transformer.language_model import DecoderLM

CONTEXT = 16
TIMES = ("minutes", "minutes_of_updates", "share_of_evaluations", "milliseconds_per_step", "equal_minutes")


def small(recipe: Recipe, steps: int = 8) -> Recipe:
    """The recipe on a small shape, for a processor."""
    shape = {"n_layers": 1, "n_heads": 2, "d_model": 16, "context_length": CONTEXT}
    quick = {"steps": steps, "warmup_steps": 2, "evaluate_every": steps // 2}
    return replace(recipe, batch_size=4, model=recipe.model | shape).with_training(
        **quick, device="cpu", precision="fp32", compile=False
    )


def untimed(found):
    """Results without what a clock has said."""
    if isinstance(found, dict):
        return {key: untimed(value) for key, value in found.items() if key not in TIMES}
    return [untimed(value) for value in found] if isinstance(found, list) else found


@pytest.fixture
def plays(monkeypatch) -> Corpus:
    train, valid, test = split_text("\n".join(load_tales(n_train=60, n_valid=0, n_test=0).train))
    corpus = Corpus("tinyshakespeare", train, valid, test, CharTokenizer.fit(train), "tales")
    monkeypatch.setitem(CORPORA, "tinyshakespeare", lambda: corpus)
    return corpus


@pytest.mark.parametrize("recipes", [AT_THE_SAME_TIME, LARGE_AT_THE_SAME_TIME], ids=["cpu", "gpu"])
def test_the_second_recipe_has_the_steps_that_take_as_long_as_the_first(
    plays, tmp_path, monkeypatch, recipes
):
    recipes = {name: small(recipe) for name, recipe in recipes.items()}
    monkeypatch.setattr(shakespeare, "paces", lambda *_: {"nanogpt": 0.5, "ours": 0.25})
    found = measure(3, tmp_path, recipes=recipes)
    assert [found[name]["steps"] for name in recipes] == [8, 16]
    assert found["nanogpt"]["equal_minutes"] == found["ours"]["equal_minutes"] == pytest.approx(4 / 60)
    assert [point["step"] for point in found["curve"]] == [4, 8, 8, 16]
    for name in recipes:
        assert found[name]["characters"] == found[name]["steps"] * 4 * CONTEXT
        assert found[name]["valid"] == min(p["valid"] for p in found["curve"] if p["recipe"] == name)
    # what is measured and trained is neither measured nor trained again
    monkeypatch.setattr(shakespeare, "paces", lambda *_: pytest.fail("it was measured again"))
    assert untimed(measure(3, tmp_path, recipes=recipes)) == untimed(found)


def test_the_record_has_mean_and_spread_of_both_recipes(plays, tmp_path, monkeypatch):
    monkeypatch.setattr(shakespeare, "paces", lambda *_: {"nanogpt": 0.5, "ours": 0.5})
    recipes = {name: small(recipe, 2) for name, recipe in AT_THE_SAME_TIME.items()}
    few = replace(EXPERIMENTS["shakespeare"], measure=partial(measure, recipes=recipes))
    result = run(few, tmp_path / "11_shakespeare.json", seeds=[0, 1]).result
    for name in recipes:
        for number in ("last_tenth", "valid", "test", "steps", "equal_minutes"):
            assert result["mean"][f"{name}.{number}"] > 0
        assert result["standard_deviation"][f"{name}.last_tenth"] > 0


def test_the_paces_are_measured_where_nothing_has_been_yet(plays, monkeypatch):
    monkeypatch.setattr(shakespeare, "ROUNDS", 2)
    recipes = {name: small(recipe) for name, recipe in AT_THE_SAME_TIME.items()}
    found = shakespeare.paces(recipes, read_corpus(recipes["ours"]))
    assert found.keys() == recipes.keys() and min(found.values()) > 0


@pytest.mark.parametrize("recipe", [BEST, BEST_ON_A_GPU], ids=["cpu", "gpu"])
def test_a_run_that_was_stopped_comes_to_the_same(plays, tmp_path, recipe, monkeypatch):
    recipe = small(recipe)
    whole = measure_best(0, tmp_path / "whole", recipe=recipe)
    batch = shakespeare.LanguageModelBatches.batch

    def stopped(self, step):
        if step == 6:
            raise RuntimeError("the power is out")
        return batch(self, step)

    with monkeypatch.context() as patch:
        patch.setattr(shakespeare.LanguageModelBatches, "batch", stopped)
        with pytest.raises(RuntimeError, match="power"):
            measure_best(0, tmp_path / "cut", recipe=recipe)
    assert untimed(measure_best(0, tmp_path / "cut", recipe=recipe)) == untimed(whole)


def test_every_character_of_the_last_tenth_is_predicted_once_in_windows_side_by_side(plays, tmp_path):
    recipe = small(NANOGPT)
    reading = read_corpus(recipe)
    stream = parts(reading)["last_tenth"]
    assert reading.tokenizer.decode(stream.tolist()) == plays.valid[0] + plays.test[0]
    found = measure_best(0, tmp_path, recipe=recipe)
    model, _ = fit(shakespeare.Run.going_on(recipe, tmp_path / "run"), reading, lambda _: 0.0)
    windows = len(stream) // CONTEXT
    inputs = np.concatenate([[0], stream[:-1]])[: windows * CONTEXT].reshape(windows, CONTEXT)
    with torch.no_grad():
        logits = model(torch.from_numpy(inputs)).flatten(0, 1)
    by_hand = torch.nn.functional.cross_entropy(logits, torch.from_numpy(stream[: windows * CONTEXT]))
    # fewer characters than a window are left, and have more before them
    assert found["last_tenth"] == pytest.approx(by_hand.item(), abs=0.02)
    halves = [len(parts(reading)[part]) for part in ("valid", "test")]
    assert found["last_tenth"] == pytest.approx(
        np.average([found["valid"], found["test"]], weights=halves), abs=0.02
    )


def test_windows_do_not_overlap(plays, tmp_path):
    recipe = small(NANOGPT)
    found = measure_best(0, tmp_path, recipe=recipe)
    model = load_model(tmp_path / "run")
    for part, stream in parts(read_corpus(recipe)).items():
        nats = {n: evaluate_language_model(model, stream, stride=n).nats for n in (CONTEXT, CONTEXT // 2)}
        assert found[part] == pytest.approx(nats[CONTEXT], abs=1e-4)
        assert found[part] != pytest.approx(nats[CONTEXT // 2], abs=2e-4)


def test_counting_predicts_the_same_characters(plays, tmp_path):
    reading = read_corpus(NANOGPT)
    streams = parts(reading)
    found = {order: measure_counts(0, tmp_path, order=order) for order in (1, 2, 4)}
    for part, stream in streams.items():
        assert found[4][part] < found[2][part] < found[1][part]
        # the 1-gram is the share of each character in the training part
        counts = np.bincount(reading.streams["train"], minlength=reading.tokenizer.vocab_size)
        by_hand = -np.log(counts / counts.sum())[stream].mean()
        assert found[1][part] == pytest.approx(by_hand, abs=0.02)


def test_a_curve_by_passes_ends_where_all_characters_have_been_read():
    results = load_results("shakespeare-best-gpu")
    passes, losses = shakespeare.by_passes(results)
    assert losses.shape == (3, len(passes)) and passes[-1] == pytest.approx(49.152e6 / 1_003_854, rel=1e-3)
    assert losses[:, -1].tolist() == [
        [point["valid"] for point in results.record.curve if point["seed"] == seed][-1] for seed in (0, 1, 2)
    ]


def test_a_model_and_counting_continue_the_same_prompts(plays, tmp_path, monkeypatch):
    monkeypatch.setattr(shakespeare, "PROMPTS", ("", "the "))
    found = measure_written(0, tmp_path, recipe=small(WRITER))
    for texts in (found["texts"], found["texts_of_counts"]):
        assert [text.startswith(prompt) for text, prompt in zip(texts, shakespeare.PROMPTS)] == [True, True]
        assert len(texts) == 2 and len(texts[1]) > len("the ")
    assert found["texts"] != found["texts_of_counts"] and found["steps"] == 8


def test_the_recipes_compared_have_one_size_and_the_published_shapes():
    for recipes, size in (
        (AT_THE_SAME_TIME, 0.8e6),
        (LARGE_AT_THE_SAME_TIME, 10.7e6),
        ({"best": BEST}, 10.7e6),
    ):
        for recipe in recipes.values():
            config = recipe.config(vocab_size=66, start_token=0)
            assert DecoderLM(config).n_parameters() == pytest.approx(size, rel=0.02)
    nanogpt = NANOGPT.training
    assert [nanogpt.learning_rate_at(step) for step in (99, 1999)] == pytest.approx([1e-3, 1e-4])
    assert (NANOGPT.batch_size, nanogpt.steps, nanogpt.beta2, nanogpt.weight_decay) == (12, 2000, 0.99, 0.1)
    for name in ("shakespeare", "shakespeare-best"):
        assert EXPERIMENTS[name].config != EXPERIMENTS[name].gpu.config


@pytest.mark.skipif(not os.environ.get(FOLDER_VARIABLE), reason="needs the plays")
def test_the_last_tenth_of_the_plays_has_its_published_size():
    assert data_of()["characters"] == 1_115_394
    assert data_of()["parts"]["valid"] + data_of()["parts"]["test"] == 111_540
    assert load_corpus("tinyshakespeare").train[0].isascii()
