r"""Tiny Shakespeare, character by character, beside nanoGPT's recipes: two headlines of chapter 11.

``shakespeare`` trains two recipes of one size for equally long: nanoGPT's, in this library's terms, and ours.
How many steps of ours take as long as nanoGPT's is measured first, the two in turn, on the machine at hand.
``shakespeare-best`` trains the larger of the two sizes, 6 blocks of width 384, for as long as it pays.
``shakespeare-counts`` says what counting comes to on the same characters, and ``shakespeare-written`` has
what a model of 3.2 million parameters writes, and counting beside it.

Of nanoGPT's recipes the shape, the initialization, the optimizer, its schedule and the batches' size are
here; the embeddings do not decay, there is a token more, for the end of a text, and an epoch deals each
window once.

The published losses are on the last tenth of the text. Its first half, ``valid``, chooses the checkpoint: the
one with the least nats of all evaluations. Its second half, ``test``, chooses nothing. Every loss is of a
whole part, in windows of ``context_length`` characters that do not overlap: in each, the first character is
predicted from one before it, and the last from as many as the window has.
"""

import json
import statistics
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transformer_lib.data import LanguageModelBatches, load_corpus
from transformer_lib.density.ngram import KneserNey
from transformer_lib.experiments.running.results import Results
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import SequenceModel
from transformer_lib.text.language_model import Reading, continue_text, fit, mean_nats, read_corpus
from transformer_lib.text.recipe import Recipe
from transformer_lib.text.run import Run
from transformer_lib.training import (
    TrainingConfig,
    evaluate_language_model,
    language_model_loss,
    train,
)
from transformer_lib.training.files import write_atomically
from transformer_lib.transformer.language_model import DecoderLM

__all__ = [
    "AT_THE_SAME_TIME",
    "BEST",
    "BEST_ON_A_GPU",
    "EXPERIMENT",
    "LARGE",
    "LARGE_AT_THE_SAME_TIME",
    "PROMPTS",
    "WRITER",
    "by_passes",
    "data_of",
    "measure",
    "measure_best",
    "measure_counts",
    "measure_written",
    "paces",
    "parts",
]

NANOGPT = Recipe(
    data="tinyshakespeare",
    batch_size=12,
    model={"n_layers": 4, "n_heads": 4, "d_model": 128, "context_length": 64},
    training=TrainingConfig(
        steps=2000,
        learning_rate=1e-3,
        final_factor=0.1,
        warmup_steps=100,
        beta2=0.99,
        weight_decay=0.1,
        evaluate_every=1000,
        device="cpu",
    ),
)
"""``train_shakespeare_char`` with the settings that nanoGPT's README gives for a processor."""

OURS = replace(
    NANOGPT,
    model={
        **{"n_layers": 2, "n_heads": 5, "d_model": 180, "context_length": 64},
        **{"activation": "relu", "positions": "rotary"},
    },
    training=replace(NANOGPT.training, learning_rate=4e-3, final_factor=0.0),
)
"""Half as many blocks, which are wider, with rotary positions and a rate four times as high.

Chosen among models about as large on short runs of one seed, by the first 20,000 characters of ``valid``;
this width was not among them.
"""
AT_THE_SAME_TIME = {"nanogpt": NANOGPT, "ours": OURS}
"""The two recipes of 0.8 million parameters; the steps of the second are those that take as long."""

LARGE = replace(
    NANOGPT,
    batch_size=64,
    model={"n_layers": 6, "n_heads": 6, "d_model": 384, "context_length": 256, "dropout": 0.2},
    training=replace(NANOGPT.training, steps=5000, evaluate_every=250, device="cuda", precision="bf16"),
)
"""``train_shakespeare_char`` as it is, for a GPU: 10.7 million parameters."""

BEST_ON_A_GPU = replace(
    LARGE,
    model=LARGE.model | {"positions": "rotary", "dropout": 0.3},
    training=replace(
        LARGE.training,
        final_factor=0.0,
        steps=3000,
        optimizer="muon",
        learning_rate=2e-3,
        evaluate_every=150,
        compile=True,
    ),
)
"""Of three trials at seed 0, each of some 1,700 steps, the one with the least ``valid``.

The others had a dropout of 0.4, one of them by AdamW at half the learning rate, one by Muon with
more decay.
"""

LARGE_AT_THE_SAME_TIME = {"nanogpt": LARGE, "ours": BEST_ON_A_GPU.with_training(compile=False)}
BEST = replace(
    BEST_ON_A_GPU,
    batch_size=32,
    model=BEST_ON_A_GPU.model | {"attention_dropout": 0.0, "activation_dropout": 0.0},
    training=replace(BEST_ON_A_GPU.training, steps=2000, evaluate_every=100, device="cpu", compile=False),
)
"""For a processor that has instructions for bfloat16, one or two hours of two cores for a seed.

It sees a third as many characters as the form for a GPU, and drops only what the sublayers and the embedding
put out: drawing what to drop inside of the networks would take a tenth of each step again.
"""

WRITER = replace(
    BEST,
    batch_size=16,
    model=BEST.model | {"n_layers": 4, "n_heads": 4, "d_model": 256, "context_length": 128, "dropout": 0.1},
    training=replace(BEST.training, steps=2500, evaluate_every=250),
)
"""The same for one core: two thirds of the blocks and of the width, half the context."""

PROMPTS = ("", "JULIET:\nTo be, or not to be", "The computer said: ", "Dear students, your homework")
"""How the texts begin that are written: none of these is in the plays but the first."""

WRITTEN, TEMPERATURE = 400, 0.8
ROUNDS, TIMED_STEPS = 5, 10
ORDERS = range(2, 9)


def measure(seed: int, folder: Path, *, recipes: Mapping[str, Recipe] = AT_THE_SAME_TIME) -> dict[str, Any]:
    """Both recipes at one seed, for equally long; resumes from ``folder``.

    The first runs as it is. The second has the steps that take as long by their :func:`paces`, and as many
    evaluations.
    """
    recipes = {name: recipe.with_training(seed=seed) for name, recipe in recipes.items()}
    reading = read_corpus(next(iter(recipes.values())))
    pace = _kept(folder / "paces.json", partial(paces, recipes, reading))
    first = next(iter(recipes))
    seconds = recipes[first].training.steps * pace[first]
    found: dict[str, Any] = {}
    curve: list[dict[str, Any]] = []
    for name, recipe in recipes.items():
        training = recipe.training
        steps = round(seconds / pace[name])
        n_evaluations = max(1, training.steps // (training.evaluate_every or training.steps))
        recipe = recipe.with_training(steps=steps, evaluate_every=-(-steps // n_evaluations))
        found[name], points = _train(recipe, folder / name, reading)
        found[name] |= {"milliseconds_per_step": 1000 * pace[name], "equal_minutes": steps * pace[name] / 60}
        curve += [{"recipe": name, **point} for point in points]
    return found | {"curve": curve}


def measure_best(seed: int, folder: Path, *, recipe: Recipe = BEST) -> dict[str, Any]:
    """One recipe at one seed; resumes from ``folder``."""
    recipe = recipe.with_training(seed=seed)
    found, curve = _train(recipe, folder / "run", read_corpus(recipe))
    return found | {"curve": curve}


def measure_written(seed: int, folder: Path, *, recipe: Recipe = WRITER) -> dict[str, Any]:
    """What a model of :data:`WRITER`, and counting with six characters, make of the :data:`PROMPTS`."""
    recipe = recipe.with_training(seed=seed)
    reading = read_corpus(recipe)
    tokens = reading.tokenizer
    counts = KneserNey(6, tokens.vocab_size, start_token=tokens.end_token).fit(reading.streams["train"])

    def texts(model: SequenceModel) -> list[str]:
        lengths = [WRITTEN, *[WRITTEN // 3] * (len(PROMPTS) - 1)]
        return [
            continue_text(model, tokens, prompt, length, seed=seed, temperature=TEMPERATURE)
            for prompt, length in zip(PROMPTS, lengths)
        ]

    found, curve = _train(recipe, folder / "run", reading, lambda model: {"texts": texts(model)})
    return found | {"texts_of_counts": texts(counts), "curve": curve}


def measure_counts(seed: int, folder: Path, *, order: int) -> dict[str, Any]:
    """Kneser-Ney's nats per character, which no seed changes."""
    reading = read_corpus(NANOGPT)
    tokens = reading.tokenizer
    model = KneserNey(order, tokens.vocab_size, start_token=tokens.end_token).fit(reading.streams["train"])
    return {part: round(mean_nats(model, stream), 4) for part, stream in parts(reading).items()}


def parts(reading: Reading) -> dict[str, np.ndarray]:
    """The two halves of the last tenth, and the whole of it, without the tokens that end them."""
    halves = {part: reading.streams[part][:-1] for part in ("valid", "test")}
    return halves | {"last_tenth": np.concatenate(list(halves.values()))}


def paces(recipes: Mapping[str, Recipe], reading: Reading) -> dict[str, float]:
    """Seconds per step of each recipe: medians of rounds of a few steps, in which the recipes take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in recipes}
    for _ in range(ROUNDS):
        for name, recipe in recipes.items():
            tokens, n_rows = reading.tokenizer, recipe.batch_size
            config = recipe.config(vocab_size=tokens.vocab_size, start_token=tokens.end_token)
            model = DecoderLM(config, generator=torch.Generator().manual_seed(0))
            batches = LanguageModelBatches(reading.streams["train"], n_rows, config.context_length)
            some = recipe.with_training(steps=TIMED_STEPS, evaluate_every=None).training
            trained = train(model, language_model_loss, batches, some, progress=False)
            seconds[name].append(trained.update_seconds / TIMED_STEPS)
    return {name: statistics.median(values) for name, values in seconds.items()}


def by_passes(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """How often each evaluation's model has read the training part, and its ``valid`` loss by seed."""
    (characters,), (steps,) = ({*results.values(name)} for name in ("characters", "steps"))
    points = results.record.curve
    passes = characters / results.record.data["parts"]["train"]
    seeds = results.record.seeds
    losses = [[point["valid"] for point in points if point["seed"] == seed] for seed in seeds]
    reached = [point["step"] / steps for point in points if point["seed"] == seeds[0]]
    return passes * np.array(reached), np.array(losses)


def data_of(recipe: Recipe = NANOGPT) -> dict[str, Any]:
    """What a record says about the data."""
    corpus = load_corpus(recipe.data)
    sizes = {part: sum(map(len, getattr(corpus, part))) for part in ("train", "valid", "test")}
    return {"name": corpus.name, "sha256": corpus.sha256, "characters": sum(sizes.values()), "parts": sizes}


def _train(
    recipe: Recipe,
    folder: Path,
    reading: Reading,
    also: Callable[[DecoderLM], dict[str, Any]] = lambda _: {},
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a run has come to, with what is ``also`` asked of its model, and its curve."""
    held_out = parts(reading)
    context = recipe.model["context_length"]

    def nats(model: DecoderLM, part: str) -> float:
        return evaluate_language_model(model, held_out[part], stride=context).nats

    model, trained = fit(Run.going_on(recipe, folder), reading, partial(nats, part="valid"))
    assert trained.best is not None
    minutes = trained.update_seconds / 60
    found = {part: round(nats(model, part), 4) for part in held_out}
    found |= {
        "parameters": model.n_parameters(),
        "steps": trained.steps,
        "best_step": trained.best.step,
        "characters": trained.tokens,
        "minutes_of_updates": round(minutes, 3),
        "share_of_evaluations": round(trained.overhead, 4),
        **also(model),
    }
    points = [
        {
            "step": point.step,
            "minutes": round(minutes * point.step / trained.steps, 3),
            "train": round(point.training_loss, 4),
            "valid": round(point.validation_loss or 0.0, 4),
        }
        for point in trained.evaluations
    ]
    return found, points


def _kept(path: Path, make: Any) -> dict[str, float]:
    """What the file at ``path`` holds; what ``make`` returns becomes it, if there is none."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(make()).encode())
    return json.loads(path.read_text(encoding="utf-8"))


def _pair(name: str, where: str, recipes: Mapping[str, Recipe], gpu: Experiment | None = None) -> Experiment:
    return Experiment(
        name=name,
        chapter=11,
        description=f"characters of Shakespeare by nanoGPT's recipe and by ours, for equally long, {where}",
        measure=partial(measure, recipes=recipes),
        seeds=(0, 1, 2),
        config={
            "steps of the second": "as many as take as long as the first's",
            "recipes": {one: recipe.settings() for one, recipe in recipes.items()},
        },
        data=data_of,
        gpu=gpu,
        is_timed=True,
    )


def _best(
    name: str, where: str, recipe: Recipe, seeds: tuple[int, ...], gpu: Experiment | None = None
) -> Experiment:
    return Experiment(
        name=name,
        chapter=11,
        description=f"characters of Shakespeare, 10.6 million parameters, {where}",
        measure=partial(measure_best, recipe=recipe),
        seeds=seeds,
        config=recipe.settings(),
        data=data_of,
        gpu=gpu,
    )


EXPERIMENT = _pair(
    "shakespeare",
    "0.8 million parameters on a processor",
    AT_THE_SAME_TIME,
    _pair("shakespeare-gpu", "10.7 million on a GPU", LARGE_AT_THE_SAME_TIME),
)
LARGEST = _best(
    "shakespeare-best",
    "on a processor",
    BEST,
    (0, 1, 2),
    _best("shakespeare-best-gpu", "on a GPU", BEST_ON_A_GPU, (0, 1, 2)),
)
COUNTS = Experiment(
    name="shakespeare-counts",
    chapter=11,
    description="characters of Shakespeare by Kneser-Ney models of each order",
    measure=measure_counts,
    seeds=(0,),
    config={},
    data=data_of,
    conditions=tuple({"order": order} for order in ORDERS),
)
WRITTEN_TEXTS = Experiment(
    name="shakespeare-written",
    chapter=11,
    description="what a model of Shakespeare's characters writes, and counting",
    measure=measure_written,
    seeds=(0,),
    config=WRITER.settings() | {"temperature": TEMPERATURE, "prompts": list(PROMPTS)},
    data=data_of,
)
