"""Train a small language model on text, and set it beside what counting reaches and, where known, the source.

This is what ``python -m transformer_lib train`` runs (chapter 20).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transformer_lib.autoregressive import SequenceModel, device_of
from transformer_lib.config import TransformerConfig
from transformer_lib.data import (
    TALES,
    CharTokenizer,
    Corpus,
    LanguageModelBatches,
    Tokenizer,
    WordTokenizer,
    load_corpus,
    token_stream,
    tokenizer_from_dict,
)
from transformer_lib.decoding import generate
from transformer_lib.experiments.recipe import Recipe
from transformer_lib.experiments.report import Report
from transformer_lib.metrics import cross_entropy, perplexity
from transformer_lib.ngram import KneserNey
from transformer_lib.training import (
    BEST,
    LAST,
    CheckpointError,
    Record,
    available_device,
    evaluate_language_model,
    language_model_loss,
    load_checkpoint,
    train,
    write_record,
)
from transformer_lib.transformer import DecoderLM

__all__ = ["RECORD", "continue_text", "load_language_model", "run", "saved_recipe"]

RECORD = "record.json"
TOKENIZERS = {"word": WordTokenizer, "char": CharTokenizer}
ORDERS = range(1, 7)
VALIDATION_TOKENS = 20_000


def run(
    recipe: Recipe,
    run_dir: str | Path,
    *,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
    say: Callable[[str], None] = lambda message: None,
    command: Sequence[str] | None = None,
) -> Report:
    """Train by ``recipe``, compare, and leave checkpoints and a record in ``run_dir``.

    Nothing is written before the data, the settings and the model have proved to be in order.

    Parameters
    ----------
    resume, overwrite
        Go on with the run in ``run_dir``, or replace it.
    progress
        Show a bar while training.
    say
        Told in a line what begins.
    command
        What the record names as the command.

    Raises
    ------
    ValueError
        If data, settings or model are not in order, or ``run_dir`` holds a run that is neither to be
        resumed nor overwritten.
    CheckpointError
        If the run cannot be resumed with this recipe.
    """
    run_dir = Path(run_dir)
    earlier = [run_dir / name for name in (BEST, LAST, RECORD) if (run_dir / name).exists()]
    if earlier and not (resume or overwrite):
        raise ValueError(f"{run_dir} already holds a run: resume or overwrite it, or choose another run-dir")
    say(f"reading {recipe.data}")
    corpus = load_corpus(recipe.data)
    tokenizer = _tokenizer(recipe, corpus)
    streams = {part: token_stream(getattr(corpus, part), tokenizer) for part in ("train", "valid", "test")}
    notes = {"recipe": recipe.to_dict(), "sha256": corpus.sha256}
    if resume:
        _check_resumable(run_dir, notes)
    model, batches = _model_and_batches(recipe, tokenizer, streams["train"])
    available_device(recipe.training)
    if not resume:
        for path in earlier:
            path.unlink(missing_ok=True)

    context = model.config.context_length
    watched = streams["valid"][:VALIDATION_TOKENS]
    trained = train(
        model,
        language_model_loss,
        batches,
        recipe.training,
        evaluate=lambda model: evaluate_language_model(model, watched, stride=max(1, context // 2)).nats,
        run_dir=run_dir,
        resume=resume,
        progress=progress,
        tokenizer=tokenizer.to_dict(),
        notes=notes,
    )
    say("evaluating")
    stride = max(1, context // 4)
    losses = {
        part: evaluate_language_model(model, streams[part], stride=stride).nats for part in ("valid", "test")
    }
    say(f"fitting Kneser-Ney models of order {ORDERS[0]} to {ORDERS[-1]}")
    order, losses["kneser_ney"] = _best_kneser_ney(streams, tokenizer.vocab_size)
    losses |= _source(corpus, tokenizer, len(streams["test"]))
    report = Report(
        corpus=corpus,
        tokenizer=tokenizer,
        model=model,
        training=trained,
        tokens={part: len(stream) for part, stream in streams.items()},
        losses=losses,
        kneser_ney_order=order,
        sample=continue_text(model, tokenizer, "", 2 * context, seed=recipe.training.seed),
        record=run_dir / RECORD,
    )
    write_record(report.record, _record(recipe, report, command))
    return report


def saved_recipe(run_dir: str | Path) -> Recipe:
    """The recipe of the run in ``run_dir``.

    Raises
    ------
    CheckpointError
        If there is no run, or it was not made by :func:`run`.
    """
    return Recipe.from_dict(_notes(Path(run_dir))["recipe"])


def load_language_model(path: str | Path) -> tuple[SequenceModel, Tokenizer]:
    """The language model in a checkpoint or a run's folder, and its tokenizer.

    Raises
    ------
    CheckpointError
        If there is none, or it is no language model, or has no tokenizer.
    """
    checkpoint = load_checkpoint(path)
    model = checkpoint.build_model()
    if not isinstance(model, SequenceModel):
        raise CheckpointError(
            f"{checkpoint.path} holds a {checkpoint.model_class}, which is no language model"
        )
    if checkpoint.tokenizer is None:
        raise CheckpointError(f"{checkpoint.path} has no tokenizer, so it cannot read or write text")
    return model, tokenizer_from_dict(checkpoint.tokenizer)


def continue_text(
    model: SequenceModel,
    tokenizer: Tokenizer,
    prompt: str,
    n_tokens: int,
    *,
    seed: int = 0,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> str:
    """``prompt`` and at most ``n_tokens`` tokens more, up to the end of the document.

    Raises
    ------
    ValueError
        If the prompt holds what the tokenizer does not know or is longer than the context, or as
        :func:`~transformer_lib.decoding.generate`.
    """
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed must be a whole number from 0 to 2**64 - 1, got {seed}")
    device = device_of(model)
    tokens = generate(
        model,
        torch.tensor([tokenizer.encode(prompt)], dtype=torch.long, device=device),
        n_tokens,
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        stop_token=tokenizer.end_token,
        generator=torch.Generator(device).manual_seed(seed),
    )[0].tolist()
    if tokenizer.end_token in tokens:
        tokens = tokens[: tokens.index(tokenizer.end_token)]
    return tokenizer.decode(tokens)


def _tokenizer(recipe: Recipe, corpus: Corpus) -> Tokenizer:
    if recipe.tokenizer is None or recipe.tokenizer == corpus.tokenizer.kind:
        return corpus.tokenizer
    if recipe.tokenizer not in TOKENIZERS:
        raise ValueError(f"tokenizer must be one of {', '.join(TOKENIZERS)}; got {recipe.tokenizer!r}")
    return TOKENIZERS[recipe.tokenizer].fit(corpus.train, unknown=True, min_count=2)


def _model_and_batches(
    recipe: Recipe, tokenizer: Tokenizer, stream: np.ndarray
) -> tuple[DecoderLM, LanguageModelBatches]:
    seed = recipe.training.seed
    config = TransformerConfig.preset(
        recipe.preset,
        **recipe.model | {"vocab_size": tokenizer.vocab_size, "start_token": tokenizer.end_token},
    )
    batches = LanguageModelBatches(stream, recipe.batch_size, config.context_length, seed)
    return DecoderLM(config, generator=torch.Generator().manual_seed(seed)), batches


def _notes(run_dir: Path) -> dict[str, Any]:
    checkpoint = load_checkpoint(run_dir, prefer=LAST)
    notes = (checkpoint.training or {}).get("notes")
    if not isinstance(notes, dict) or "recipe" not in notes:
        raise CheckpointError(
            f"{checkpoint.path} was not made by this command, so it cannot be resumed by it"
        )
    return notes


def _check_resumable(run_dir: Path, notes: Mapping[str, Any]) -> None:
    earlier = _notes(run_dir)
    if earlier["sha256"] != notes["sha256"]:
        raise CheckpointError(f"the data of {run_dir} has changed since: its content has another hash")
    before = Recipe.from_dict(earlier["recipe"]).to_dict()
    for key, value in notes["recipe"].items():
        if key != "training" and before[key] != value:
            raise CheckpointError(
                f"{run_dir} was trained with {key}={before[key]!r}: it cannot resume with {value!r}"
            )


def _best_kneser_ney(streams: Mapping[str, np.ndarray], vocab_size: int) -> tuple[int, float]:
    models = [KneserNey(order, vocab_size).fit(streams["train"]) for order in ORDERS]
    best = min(models, key=lambda model: _mean_nats(model, streams["valid"]))
    return best.order, _mean_nats(best, streams["test"])


def _mean_nats(model: KneserNey, stream: np.ndarray) -> float:
    return cross_entropy(model.conditional_log_probs(torch.from_numpy(stream)[None]))


def _source(corpus: Corpus, tokenizer: Tokenizer, n_tokens: int) -> dict[str, float]:
    if corpus.entropy_rate is None or tokenizer is not corpus.tokenizer:
        return {}
    losses = {"entropy_rate": corpus.entropy_rate}
    if corpus.name == "tales":
        losses["source"] = -math.fsum(TALES.log_prob(story) for story in corpus.test) / n_tokens
    return losses


def _record(recipe: Recipe, report: Report, command: Sequence[str] | None) -> Record:
    training = report.training
    return Record.of_run(
        command=command,
        config=recipe.to_dict() | {"model": report.model.config.to_dict()},
        data={"name": report.corpus.name, "sha256": report.corpus.sha256, "tokens": report.tokens},
        seeds=[recipe.training.seed],
        minutes=training.seconds / 60,
        curve=[asdict(point) for point in training.evaluations],
        device=training.device,
        result={
            "nats_per_token": report.losses,
            "perplexity": {name: perplexity(nats) for name, nats in report.losses.items()},
            "distance_to_source": report.distance,
            "kneser_ney_order": report.kneser_ney_order,
            "parameters": report.model.n_parameters(),
            "steps": training.steps,
            "best_step": training.best.step,
            "tokens_per_second": training.tokens_per_second,
            "sample": report.sample,
        },
    )
