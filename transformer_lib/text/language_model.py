"""Language models of text: training one beside what counting reaches, scoring a text, continuing one.

This is what ``python -m transformer_lib train`` runs, and the experiment ``tales``.
"""

import logging
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Int64
from tqdm import tqdm

from transformer_lib.checks import check_whole
from transformer_lib.data import (
    TALES,
    Corpus,
    LanguageModelBatches,
    Tokenizer,
    clean_text,
    load_corpus,
    token_stream,
)
from transformer_lib.data.tokenizers import count_unknown
from transformer_lib.decoding.sampling import generate
from transformer_lib.density.ngram import KneserNey
from transformer_lib.interfaces import SequenceModel, device_of
from transformer_lib.metrics import bits, cross_entropy, perplexity
from transformer_lib.text.recipe import Recipe
from transformer_lib.text.run import Run, check_batch, in_its_folder
from transformer_lib.training import (
    Record,
    TrainingConfig,
    TrainingResult,
    evaluate_language_model,
    language_model_loss,
    sampled_language_model_loss,
)
from transformer_lib.training.progress import shows_progress
from transformer_lib.transformer.language_model import DecoderLM

__all__ = [
    "RECIPE",
    "Reading",
    "continue_text",
    "fit",
    "mean_nats",
    "read_corpus",
    "score_text",
    "text_table",
    "train_language_model",
]

RECIPE = Recipe(
    data="tales",
    batch_size=8,
    training=TrainingConfig(steps=2400, learning_rate=3e-3, warmup_steps=100, evaluate_every=300),
)
"""What a language model is trained by, unless something else is asked for."""

ORDERS = range(1, 7)
VALIDATION_TOKENS = 10_000
MOST_EVALUATED = 1_000_000
MOST_COUNTED = 5_000_000
MOST_NEW_TOKENS = 10_000_000
ROWS = {
    "valid": "Transformer, validation",
    "test": "Transformer, test",
    "kneser_ney": "best Kneser-Ney (n = {order}), test",
    "source": "the source itself, test",
    "entropy_rate": "entropy rate of the source",
    "distance": "distance to the source, test",
}

log = logging.getLogger(__name__)


class Reading(NamedTuple):
    """A corpus as the tokens of its parts."""

    corpus: Corpus
    tokenizer: Tokenizer
    streams: dict[str, Int64[np.ndarray, " tokens"]]


def read_corpus(recipe: Recipe) -> Reading:
    """The recipe's corpus, by the tokenizer that it asks for, each document followed by the end token."""
    log.info("reading %s", recipe.data)
    corpus = load_corpus(recipe.data)
    tokenizer = corpus.tokenizer
    if not recipe.suits(tokenizer):
        tokenizer = recipe.fit_tokenizer(corpus.train)
    return Reading(
        corpus,
        tokenizer,
        {part: token_stream(getattr(corpus, part), tokenizer) for part in ("train", "valid", "test")},
    )


def fit(
    run: Run, reading: Reading, evaluate: Callable[[DecoderLM], float]
) -> tuple[DecoderLM, TrainingResult]:
    """The model of the run's recipe, trained, with the weights for which ``evaluate`` gave the least.

    Raises
    ------
    ValueError
        If the settings or the model are not in order.
    CheckpointError
        If the run cannot be resumed with this recipe.
    """
    recipe, (corpus, tokenizer, streams) = run.recipe, reading
    seed, n_others = recipe.training.seed, recipe.n_others
    run.check_resumable(corpus.sha256)
    config = recipe.config(vocab_size=tokenizer.vocab_size, start_token=tokenizer.end_token)
    context = config.context_length
    check_batch("tokens", recipe.batch_size * context)
    batches = LanguageModelBatches(streams["train"], recipe.batch_size, context, seed)
    model = DecoderLM(config, generator=torch.Generator().manual_seed(seed))
    loss = partial(language_model_loss, label_smoothing=recipe.label_smoothing)
    if n_others is not None:
        loss = partial(sampled_language_model_loss, n_others=n_others)
    return model, run.train(
        model, loss, batches, evaluate=evaluate, tokenizer=tokenizer.to_dict(), sha256=corpus.sha256
    )


@in_its_folder
def train_language_model(run: Run) -> tuple[Record, str]:
    """Train by the run's recipe, compare with Kneser-Ney and the source; the record, and a report to print.

    Nothing is written before the data, the settings and the model have proved to be in order.

    Raises
    ------
    ValueError
        If data, settings or model are not in order, or the folder holds a run that is neither to be resumed
        nor overwritten.
    CheckpointError
        If the run cannot be resumed with this recipe.
    """
    run.check_folder()
    corpus, tokenizer, streams = reading = read_corpus(run.recipe)
    watched = streams["valid"][:VALIDATION_TOKENS]
    model, trained = fit(run, reading, lambda model: evaluate_language_model(model, watched).nats)
    log.info("evaluating")
    context = model.context_length
    scored, limits = _bounded(streams)
    losses = {part: _score(model, scored[part]) for part in ("valid", "test")}
    order = None
    if run.compares:
        log.info("fitting Kneser-Ney models of order %d to %d", ORDERS[0], ORDERS[-1])
        order, losses["kneser_ney"] = _best_kneser_ney(scored, tokenizer.vocab_size)
    losses |= _source(corpus, tokenizer, len(streams["test"]))
    source = losses.get("source", losses.get("entropy_rate"))
    distance = None if source is None else losses["test"] - source
    sample = continue_text(model, tokenizer, "", 2 * context, seed=run.recipe.training.seed)
    sizes = {part: len(stream) for part, stream in streams.items()}
    result = {
        "nats_per_token": losses,
        "perplexity": {name: _finite(perplexity(nats)) for name, nats in losses.items()},
        "distance_to_source": distance,
        "kneser_ney_order": order,
        "sample": sample,
    }
    vocabulary = f"{tokenizer.vocab_size:,} different tokens ({tokenizer.kind}s)"
    rows = [*_table(result), *limits, "", "A text from the model:", _indented(sample)]
    return run.finish(model, trained, corpus, ("tokens", sizes), vocabulary, result, rows)


def _bounded(
    streams: Mapping[str, Int64[np.ndarray, " _tokens"]],
) -> tuple[dict[str, Int64[np.ndarray, " _tokens"]], list[str]]:
    """What is counted and scored of each part: of a large text its beginning, and lines that say so."""
    most = {"train": MOST_COUNTED, "valid": MOST_EVALUATED, "test": MOST_EVALUATED}
    what = {"train": "n-grams counted in", "valid": "validation on", "test": "test on"}
    limits = [
        f"  {what[part]} the first {most[part]:,} of {len(stream):,} tokens"
        for part, stream in streams.items()
        if len(stream) > most[part]
    ]
    return {part: stream[: most[part]] for part, stream in streams.items()}, limits


def _score(model: SequenceModel, stream: Int64[np.ndarray, " tokens"]) -> float:
    """The mean loss on a stream, in nats per token, beside a bar that tells the time left."""
    with tqdm(total=len(stream), unit="token", disable=not shows_progress()) as bar:
        return evaluate_language_model(model, stream, stride=_stride(model), on_scored=bar.update).nats


def _stride(model: SequenceModel) -> int | None:
    """A quarter of the context: three quarters and more are history."""
    return None if model.context_length is None else max(1, model.context_length // 4)


def score_text(model: SequenceModel, tokenizer: Tokenizer, documents: Sequence[str]) -> dict[str, Any]:
    """How well ``model`` predicts ``documents``, with three quarters of its context as history, or more.

    The numbers by name: ``nats_per_token`` and ``perplexity``, where the end of each document is a token;
    ``bits_per_character``, where it is a character, or ``None`` if tokens are unknown, so that the model
    predicts less than the text; ``tokens``, ``unknown_tokens`` and ``characters``.

    Raises
    ------
    ValueError
        If there is no text, or it has symbols that have no token.
    """
    stream = token_stream(documents, tokenizer)
    unknown = count_unknown(tokenizer, stream)
    characters = sum(len(document) + 1 for document in documents)
    nats = _score(model, stream)
    return {
        "nats_per_token": nats,
        "perplexity": _finite(perplexity(nats)),
        "bits_per_character": None if unknown else bits(nats) * len(stream) / characters,
        "tokens": len(stream),
        "unknown_tokens": unknown,
        "characters": characters,
    }


def _finite(number: float) -> float | None:
    """The number, or ``None``, which JSON can hold, where it is infinite."""
    return number if math.isfinite(number) else None


def _shown(number: float | None) -> str:
    return "infinite" if number is None else f"{number:.3f}"


def text_table(score: Mapping[str, Any]) -> str:
    """What :func:`score_text` has found, to be printed."""
    rows = [("nats/token", f"{score['nats_per_token']:.4f}"), ("perplexity", _shown(score["perplexity"]))]
    if score["bits_per_character"] is not None:
        rows.append(("bits/character", f"{score['bits_per_character']:.4f}"))
    rows += [("tokens", f"{score['tokens']:,}"), ("of them unknown", f"{score['unknown_tokens']:,}")]
    return "\n".join(f"  {name:<20}{value:>14}" for name, value in rows)


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
    """``prompt`` and at most ``n_tokens`` more tokens, up to the end of the document.

    The prompt is prepared as what the model has learned from, by :func:`~transformer_lib.data.clean_text`.

    Raises
    ------
    ValueError
        If the tokenizer does not know a symbol of the prompt, the prompt is longer than the context, or as
        :func:`~transformer_lib.decoding.sampling.generate`.
    """
    check_whole("seed", seed, 0, 2**64 - 1)
    check_whole("n_tokens", n_tokens, 0, MOST_NEW_TOKENS)
    device = device_of(model)
    tokens = generate(
        model,
        torch.tensor([tokenizer.encode(clean_text(prompt))], dtype=torch.long, device=device),
        n_tokens,
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        end_token=tokenizer.end_token,
        generator=torch.Generator(device).manual_seed(seed),
    )[0].tolist()
    if tokenizer.end_token in tokens:
        tokens = tokens[: tokens.index(tokenizer.end_token)]
    return tokenizer.decode(tokens)


def _best_kneser_ney(streams: Mapping[str, np.ndarray], vocab_size: int) -> tuple[int, float]:
    found: dict[float, KneserNey] = {}
    for order in tqdm(ORDERS, unit="order", disable=not shows_progress()):
        model = KneserNey(order, vocab_size).fit(streams["train"])
        found.setdefault(mean_nats(model, streams["valid"]), model)
    best = found[min(found)]
    return best.order, mean_nats(best, streams["test"])


def mean_nats(model: KneserNey, stream: np.ndarray) -> float:
    """The mean loss of counting on a stream, in nats per token."""
    return cross_entropy(model.conditional_log_probs(torch.from_numpy(stream)[None]))


def _source(corpus: Corpus, tokenizer: Tokenizer, n_tokens: int) -> dict[str, float]:
    if corpus.entropy_rate is None or tokenizer is not corpus.tokenizer:
        return {}
    losses = {"entropy_rate": corpus.entropy_rate}
    if corpus.name == "tales":
        losses["source"] = -math.fsum(TALES.log_prob(story) for story in corpus.test) / n_tokens
    return losses


def _table(result: Mapping[str, Any]) -> list[str]:
    rows = [("", "nats/token", "perplexity")]
    nats, perplexities = result["nats_per_token"], result["perplexity"]
    rows += [
        (name.format(order=result["kneser_ney_order"]), f"{nats[key]:.4f}", _shown(perplexities[key]))
        for key, name in ROWS.items()
        if key in nats
    ]
    if (distance := result["distance_to_source"]) is not None:
        rows.append((ROWS["distance"], f"{distance:.4f}", ""))
    return [f"  {name:<36}{nats:>12}{ppl:>12}".rstrip() for name, nats, ppl in rows]


def _indented(text: str) -> str:
    if "\n" in text:
        return textwrap.indent(text, "  ")
    return textwrap.fill(text, width=88, initial_indent="  ", subsequent_indent="  ")
