"""What is trained on a GPU, a few updates long: its own models, its own precision, a cut of its data.

On a GPU, if there is one, else on the processor.
"""

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from transformer_lib.data import CORPORA, PAIRS, load_corpus, load_pairs
from transformer_lib.data.sources import FOLDER_VARIABLE
from transformer_lib.experiments.chapter_03 import binarized_mnist
from transformer_lib.experiments.chapter_08 import binarized_blocks
from transformer_lib.experiments.chapter_11 import shakespeare
from transformer_lib.experiments.chapter_12 import wikitext2
from transformer_lib.experiments.chapter_13 import multi30k
from transformer_lib.text.recipe import Recipe

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get(FOLDER_VARIABLE), reason="needs the corpora"),
]
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SHORT = {"steps": 4, "warmup_steps": 1, "evaluate_every": 2, "device": DEVICE, "compile": False}


def short(recipe: Recipe, batch_size: int) -> Recipe:
    assert (recipe.training.device, recipe.training.precision) == ("cuda", "bf16")
    return replace(recipe, batch_size=batch_size).with_training(**SHORT)


def cut(corpus: Any, **parts: int) -> Any:
    return replace(corpus, **{part: list(getattr(corpus, part))[:n] for part, n in parts.items()})


def test_captions_are_translated_by_every_search(tmp_path, monkeypatch):
    few = cut(load_pairs("multi30k-de-en"), train=200, valid=6, test=4)
    monkeypatch.setitem(PAIRS, "multi30k-de-en", lambda: few)
    recipe = replace(short(multi30k.ON_A_GPU, 512), vocab_size=500)
    record = multi30k.measure(0, tmp_path, direction="de-en", recipe=recipe)
    for weights in ("best", "mean"):
        assert record.result[weights]["beams"].keys() == {str(n) for n in multi30k.BEAMS}
    assert record.result["nats_per_token"]["test"] > 0 and record.result["steps"] == 4


@pytest.mark.parametrize("kind", ["transformer", "wavenet"])
def test_digits_have_a_likelihood_after_two_epochs(tmp_path, monkeypatch, kind):
    images = binarized_mnist.images()
    few = replace(images, train=images.train[:40], valid=images.valid[:10], test=images.test[:10])
    monkeypatch.setattr(binarized_mnist, "images", lambda: few)
    whole = binarized_blocks.GPU_RECIPE
    recipe = replace(
        whole, epochs=2, batch=20, training=replace(whole.training, device=DEVICE, warmup_steps=1)
    )
    record = binarized_blocks.measure(0, tmp_path, kind=kind, recipe=recipe)
    assert np.isfinite(record.result["test"]) and len(record.curve) == 2


@pytest.fixture
def articles(monkeypatch):
    few = cut(load_corpus("wikitext-2"), train=30, valid=6, test=6)
    monkeypatch.setitem(CORPORA, "wikitext-2", lambda: few)
    monkeypatch.setattr(wikitext2, "WATCHED", 200)


@pytest.mark.parametrize("hidden", ["plain", "input and dimensions"])
def test_words_of_the_whole_test_part_are_scored(articles, tmp_path, hidden):
    recipe = short(wikitext2.ON_A_GPU, 2)
    found = wikitext2.measure(0, tmp_path, hidden=hidden, length="short", recipe=recipe)
    assert found["scored_tokens"] == wikitext2.data_of()["tokens"]["test"]
    assert 1 < found["perplexity"]["test"] < 10 * 33_278


def test_the_best_model_of_words_is_scored(articles, tmp_path):
    found = wikitext2.measure_best(0, tmp_path, recipe=short(wikitext2.BEST_ON_A_GPU, 2))
    assert 1 < found["perplexity"]["test"] < 10 * 33_278


@pytest.fixture
def plays(monkeypatch):
    whole = load_corpus("tinyshakespeare")
    parts = {
        part: [getattr(whole, part)[0][:n]] for part, n in (("train", 9000), ("valid", 600), ("test", 600))
    }
    few = replace(whole, **parts)
    monkeypatch.setitem(CORPORA, "tinyshakespeare", lambda: few)


def test_both_recipes_for_characters_are_scored(plays, tmp_path, monkeypatch):
    monkeypatch.setattr(shakespeare, "paces", lambda *_: {"nanogpt": 0.5, "ours": 0.5})
    recipes = {name: short(recipe, 2) for name, recipe in shakespeare.LARGE_AT_THE_SAME_TIME.items()}
    found = shakespeare.measure(0, tmp_path, recipes=recipes)
    assert all(0 < found[name]["last_tenth"] < 2 * np.log(66) for name in recipes)


def test_the_best_model_of_characters_is_scored(plays, tmp_path):
    found = shakespeare.measure_best(0, tmp_path, recipe=short(shakespeare.BEST_ON_A_GPU, 2))
    assert 0 < found["last_tenth"] < 2 * np.log(66)
