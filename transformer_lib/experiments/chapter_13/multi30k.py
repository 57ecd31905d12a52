r"""Captions of photographs, German into English and back: what a Transformer translates of real sentences.

Multi30k (Elliott et al., 2016) has 29,000 pairs for training, 1,014 for validation and 1,000 for the test.
A model for so few pairs is small and forgets much: narrow blocks, shared pieces of words, a third of what a
branch adds dropped. It is trained by Muon, because updates are expensive on a processor and Muon
learns more from each (the experiment ``optimizers``). ``multi30k-best`` trains twice as long.
``multi30k-tiny`` is half as wide and deeper, in the direction in which the published score was out of reach.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from transformer_lib.data import load_pairs
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import ConditionalModel
from transformer_lib.metrics import bleu
from transformer_lib.recurrent.seq2seq import Seq2Seq, Seq2SeqConfig
from transformer_lib.text.evaluation import load_translator
from transformer_lib.text.recipe import Recipe
from transformer_lib.text.run import Run
from transformer_lib.text.translation import LENGTH_PENALTY, Translator, train_translator
from transformer_lib.training import (
    Record,
    TrainingConfig,
    average_checkpoints,
    read_record,
    snapshots,
)
from transformer_lib.training.progress import shows_progress
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

__all__ = [
    "BEAMS",
    "BEST",
    "EXPERIMENT",
    "LONGEST",
    "PENALTIES",
    "RECIPE",
    "RECURRENT",
    "TINIEST",
    "TINY",
    "data_of",
    "measure",
    "recurrent",
    "scores",
]

DIRECTIONS = ("de-en", "en-de")
BOTH_WAYS = tuple({"direction": direction} for direction in DIRECTIONS)
BEAMS = (1, 2, 4, 10)
PENALTIES = (0.0, 1.0)
RESAMPLES = 1000
RECIPE = Recipe(
    data="multi30k-de-en",
    batch_size=3072,
    label_smoothing=0.1,
    tokenizer="bpe",
    vocab_size=6000,
    model={
        **{"d_model": 256, "n_heads": 4, "n_layers": 3, "d_ff": 512, "context_length": 128},
        **{"dropout": 0.3, "attention_dropout": 0.0, "activation_dropout": 0.0},
        **{"activation": "relu", "bias": True},
    },
    training=TrainingConfig(
        steps=2000,
        optimizer="muon",
        learning_rate=2e-3,
        warmup_steps=200,
        beta2=0.98,
        evaluate_every=100,
        keep_last=4,
        device="cpu",
    ),
)
"""For one core of a processor and an hour: 13 epochs."""
BEST = RECIPE.with_training(steps=4000)
"""The same for two hours: 26 epochs, and the learning rate falls as much more slowly."""
TINY = replace(RECIPE, model=RECIPE.model | {"d_model": 128, "n_layers": 4, "d_ff": 256}).with_training(
    steps=5000
)
"""Half as wide, a block more on each side: 5,000 updates have the operations of some 1,900 of ``RECIPE``."""
ON_A_GPU = replace(
    RECIPE,
    batch_size=6144,
    bpe_dropout=0.1,
    training=replace(RECIPE.training, steps=2500, learning_rate=3e-3, device="cuda", precision="bf16"),
)
"""Larger batches, and BPE dropout, which cuts each sentence into other pieces in each of 27 epochs."""


RECURRENT_RECIPE = replace(
    RECIPE, model={"d_model": 256, "n_layers": 2, "context_length": 128, "dropout": 0.3}
)
"""The same for a recurrent network of about as many parameters."""


def recurrent(config: TransformerConfig, *, generator: torch.Generator | None = None) -> Seq2Seq:
    """Chapter 5's network with attention: LSTMs of this width and depth, the encoder's in both directions."""
    return Seq2Seq(
        Seq2SeqConfig(
            source_vocab_size=config.source_vocab_size or config.vocab_size,
            vocab_size=config.vocab_size,
            d_model=config.d_model,
            n_layers=config.n_layers,
            bidirectional=True,
            dropout=config.dropout,
            tie_embeddings=True,
            start_token=config.start_token,
        ),
        generator=generator,
    )


def measure(
    seed: int,
    folder: Path,
    *,
    direction: str,
    recipe: Recipe = RECIPE,
    build: Callable[..., ConditionalModel] = EncoderDecoder,
) -> Record:
    """Train one direction at one seed, resuming from ``folder``, and translate the whole test part.

    The record's result has the :func:`scores` of the weights of the best evaluation and of the mean of the
    last four. The outputs are the translations by those of the best evaluation and four hypotheses.
    """
    recipe = replace(recipe, data=f"multi30k-{direction}").with_training(seed=seed)
    run_folder = folder / "run"
    if not (run_folder / "record.json").exists():
        train_translator(Run.going_on(recipe, run_folder), build)
    trained = read_record(run_folder / "record.json")
    translator = load_translator(run_folder, recipe.training.device)
    pairs = load_pairs(recipe.data).test
    best, translations = scores(translator, pairs)
    average_checkpoints(snapshots(run_folder)).load_into(translator.model)
    mean, _ = scores(translator, pairs)
    kept = {name: trained.result[name] for name in ("parameters", "steps", "best_step", "nats_per_token")}
    found = {"best": best, "mean": mean, "outputs": {"translations": translations}}
    return replace(trained, result={**kept, **found})


def scores(translator: Translator, pairs: Any) -> tuple[dict[str, Any], list[str]]:
    """BLEU of ``translator`` on ``pairs``, by sacreBLEU on raw text, and the translations by four hypotheses.

    ``bleu`` is that of four hypotheses; its 95% interval over the sentences reaches ``bleu_half_width`` to
    each side. ``beams`` has it by the number of hypotheses, at the usual length penalty, ``penalty`` by the
    penalty, of four hypotheses; ``lower_case`` is the score of four without regard to case, which published
    scores of tokenized and lower-cased text come nearest to.
    """
    sources, references = [source for source, _ in pairs], [target for _, target in pairs]
    settings = [(n, LENGTH_PENALTY) for n in BEAMS] + [(4, penalty) for penalty in PENALTIES]
    texts = {
        (n, penalty): translator.translate(sources, n_beams=n, length_penalty=penalty)
        for n, penalty in tqdm(settings, unit="search", disable=not shows_progress())
    }
    usual = texts[4, LENGTH_PENALTY]
    score = bleu(usual, references, n_resamples=RESAMPLES)
    return {
        "bleu": score.score,
        "bleu_half_width": score.half_width,
        "signature": score.signature,
        "lower_case": bleu([t.lower() for t in usual], [r.lower() for r in references]).score,
        "beams": {str(n): bleu(texts[n, LENGTH_PENALTY], references).score for n in BEAMS},
        "penalty": {f"{p:g}": bleu(texts[4, p], references).score for p in PENALTIES},
        "translations": usual[:20],
    }, usual


def data_of(recipe: Recipe = RECIPE) -> Mapping[str, Any]:
    """What a record says about the data."""
    corpus = load_pairs(recipe.data)
    return {"name": "multi30k", "sha256": corpus.sha256, "test": "test_2016_flickr"}


def _experiment(
    name: str,
    what: str,
    recipe: Recipe,
    gpu: Experiment | None = None,
    seeds: tuple[int, ...] = (0, 1, 2),
    conditions: tuple[dict[str, str], ...] = BOTH_WAYS,
) -> Experiment:
    config = recipe.settings()
    del config["data"]
    return Experiment(
        name=name,
        chapter=13,
        description=f"captions of photographs, {what}: BLEU by beams",
        measure=partial(measure, recipe=recipe),
        seeds=seeds,
        config=config,
        data=partial(data_of, recipe),
        conditions=conditions,
        gpu=gpu,
    )


EXPERIMENT = _experiment(
    "multi30k",
    "German and English both ways, on two cores",
    RECIPE,
    _experiment("multi30k-gpu", "German and English both ways, on a GPU", ON_A_GPU),
)

LONGEST = _experiment(
    "multi30k-best", "German and English both ways, on two cores, twice as long", BEST, seeds=(0,)
)

TINIEST = _experiment(
    "multi30k-tiny",
    "English into German, by narrow blocks",
    TINY,
    conditions=({"direction": "en-de"},),
)

RECURRENT = Experiment(
    name="multi30k-recurrent",
    chapter=13,
    description="captions of photographs, German into English, by LSTMs with attention: BLEU by beams",
    measure=partial(measure, recipe=RECURRENT_RECIPE, build=recurrent),
    seeds=(0, 1, 2),
    config=RECURRENT_RECIPE.settings() | {"network": "bidirectional LSTM, LSTM with general attention"},
    data=data_of,
    conditions=({"direction": "de-en"},),
)
