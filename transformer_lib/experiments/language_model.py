"""Train a small language model on text, and set it beside what counting reaches and, where known, the source.

This is what ``python -m transformer_lib train`` runs (chapter 20).
"""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np
import torch

from transformer_lib.autoregressive import SequenceModel, device_of
from transformer_lib.data import (
    TALES,
    Corpus,
    LanguageModelBatches,
    Tokenizer,
    load_corpus,
    token_stream,
)
from transformer_lib.decoding import generate
from transformer_lib.experiments.recipe import check_batch
from transformer_lib.experiments.report import Report
from transformer_lib.experiments.runs import Run, describe_data
from transformer_lib.metrics import cross_entropy, perplexity
from transformer_lib.ngram import KneserNey
from transformer_lib.training import (
    evaluate_language_model,
    language_model_loss,
    write_record,
)
from transformer_lib.transformer import DecoderLM

__all__ = ["continue_text", "train_language_model"]

ORDERS = range(1, 7)
VALIDATION_TOKENS = 20_000
MOST_NEW_TOKENS = 10_000_000


def train_language_model(run: Run) -> Report:
    """Train by the run's recipe, compare, and leave checkpoints and a record in its folder.

    Nothing is written before the data, the settings and the model have proved to be in order.

    Raises
    ------
    ValueError
        If data, settings or model are not in order, or the folder holds a run that is neither to be resumed
        nor overwritten.
    CheckpointError
        If the run cannot be resumed with this recipe.
    """
    recipe, seed = run.recipe, run.recipe.training.seed
    run.check_folder()
    run.say(f"reading {recipe.data}")
    corpus = load_corpus(recipe.data)
    tokenizer = corpus.tokenizer
    if not recipe.suits(tokenizer):
        tokenizer = recipe.fit_tokenizer(corpus.train)
    streams = {part: token_stream(getattr(corpus, part), tokenizer) for part in ("train", "valid", "test")}
    run.check_resumable(corpus.sha256)
    config = run.config(vocab_size=tokenizer.vocab_size, start_token=tokenizer.end_token)
    context = config.context_length
    check_batch("tokens", recipe.batch_size * context)
    batches = LanguageModelBatches(streams["train"], recipe.batch_size, context, seed, is_ring=recipe.ring)
    model = DecoderLM(config, generator=torch.Generator().manual_seed(seed))

    watched = streams["valid"][:VALIDATION_TOKENS]
    trained = run.train(
        model,
        partial(language_model_loss, label_smoothing=recipe.label_smoothing),
        batches,
        evaluate=lambda model: evaluate_language_model(model, watched, stride=max(1, context // 2)).nats,
        tokenizer=tokenizer.to_dict(),
        sha256=corpus.sha256,
    )
    run.say("evaluating")
    stride = max(1, context // 4)
    losses = {
        part: evaluate_language_model(model, streams[part], stride=stride).nats for part in ("valid", "test")
    }
    run.say(f"fitting Kneser-Ney models of order {ORDERS[0]} to {ORDERS[-1]}")
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
        sample=continue_text(model, tokenizer, "", 2 * context, seed=seed),
        record=run.record_path,
    )
    result = {
        "nats_per_token": losses,
        "perplexity": {name: perplexity(nats) for name, nats in losses.items()},
        "distance_to_source": report.distance,
        "kneser_ney_order": order,
        "sample": report.sample,
    }
    data = describe_data(corpus, report.tokens, "tokens")
    write_record(report.record, run.record(config, model.n_parameters(), trained, data, result))
    return report


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
    if n_tokens > MOST_NEW_TOKENS:
        raise ValueError(f"n_tokens must be at most {MOST_NEW_TOKENS:,}, got {n_tokens:,}")
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
