"""Experiments that train on text by a recipe, as ``python -m transformer_lib train`` does."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

from transformer_lib.data import load_corpus, load_pairs
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.text.recipe import Recipe
from transformer_lib.text.run import Run
from transformer_lib.training import Record
from transformer_lib.transformer.config import PRESETS

__all__ = ["text_experiment"]

log = logging.getLogger(__name__)


def text_experiment(
    name: str,
    chapter: int,
    description: str,
    recipe: Recipe,
    train_run: Callable[[Run], tuple[Record, str]],
    seeds: tuple[int, ...] = (0,),
) -> Experiment:
    """The experiment that trains by ``recipe`` at each seed, and measures what ``train_run`` records."""

    def data() -> dict[str, str]:
        corpus = load_pairs(recipe.data) if recipe.translates else load_corpus(recipe.data)
        return {"name": corpus.name, "sha256": corpus.sha256}

    config = recipe.settings() | {"model": PRESETS[recipe.preset] | recipe.model}
    measure = partial(_measure, recipe=recipe, train_run=train_run)
    return Experiment(name, chapter, description, measure, seeds, config, data)


def _measure(
    seed: int, folder: Path, *, recipe: Recipe, train_run: Callable[[Run], tuple[Record, str]]
) -> Record:
    run = Run.going_on(recipe.with_training(seed=seed), folder)
    log.info("seed %d: %s in %s", seed, "resuming" if run.resume else "training", folder)
    return train_run(run)[0]
