"""AdamW beside Muon: what a small language model has learned after equally many updates, and their time.

The characters of NumPy's docstrings; each optimizer and length of training at its best of three learning
rates. The recipes of the headlines for a processor are trained by what wins here.
"""

import math
from pathlib import Path
from typing import Any

from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.text.language_model import fit, read_corpus
from transformer_lib.text.recipe import Recipe
from transformer_lib.text.run import Run
from transformer_lib.training import TrainingConfig, evaluate_language_model
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["EXPERIMENT", "RATES", "RECIPE", "STEPS", "measure"]

STEPS, RATES = (100, 300), (0.001, 0.003, 0.01)
RECIPE = Recipe(
    data="docstrings",
    tokenizer="char",
    batch_size=32,
    model={"d_model": 128, "n_heads": 4, "n_layers": 4, "context_length": 64},
    training=TrainingConfig(warmup_steps=30, beta2=0.99, evaluate_every=None, device="cpu"),
)
SCORED = 20_000
OF_EACH = ("optimizer", "steps", "learning_rate", "seed")
"""What each run has of its own."""


def measure(seed: int, folder: Path, *, optimizer: str, steps: int, rate: float) -> dict[str, Any]:
    """Nats per held-out character after ``steps`` updates; resumes from ``folder``."""
    recipe = RECIPE.with_training(seed=seed, optimizer=optimizer, steps=steps, learning_rate=rate)
    reading = read_corpus(recipe)

    def nats(model: DecoderLM, part: str) -> float:
        context = recipe.model["context_length"]
        return evaluate_language_model(model, reading.streams[part][:SCORED], stride=context).nats

    model, trained = fit(Run.going_on(recipe, folder / "run"), reading, lambda model: nats(model, "valid"))
    assert trained.best is not None
    return {
        "valid": round(trained.best.validation_loss or math.nan, 4),
        "test": round(nats(model, "test"), 4),
        "milliseconds": round(1000 * trained.update_seconds / steps, 1),
    }


def data_of() -> dict[str, Any]:
    """What a record says about the data."""
    corpus = read_corpus(RECIPE).corpus
    return {"name": corpus.name, "sha256": corpus.sha256, "scored": SCORED}


EXPERIMENT = Experiment(
    name="optimizers",
    is_timed=True,
    chapter=15,
    description="a small language model after equally many updates by AdamW and by Muon",
    measure=measure,
    seeds=(0, 1, 2),
    config=RECIPE.settings() | {"training": RECIPE.training.for_record(*OF_EACH)},
    data=data_of,
    conditions=tuple(
        {"optimizer": optimizer, "steps": steps, "rate": Tuned(RATES)}
        for steps in STEPS
        for optimizer in ("adamw", "muon")
    ),
)
