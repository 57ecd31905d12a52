"""Beams and length penalty, on translators of number words that are not yet fully trained: chapter 14.

A translator that makes no mistakes leaves nothing to search for. So small ones are stopped early, after a few
hundred steps, and each is asked for the same sentences with 1 to 50 beams, with and without a length penalty.
An exact search says what the most probable translation would have been.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor, nn

from transformer_lib.data import IGNORED, PairBatches, ParallelCorpus, encode_pairs, load_number_words
from transformer_lib.decoding.beam import beam_search
from transformer_lib.decoding.sampling import read_prompt
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.interfaces import SequenceModel, device_of
from transformer_lib.metrics import bleu, exact_match
from transformer_lib.training import translation_loss
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

__all__ = [
    "BEAMS",
    "EXPERIMENT",
    "LONGEST",
    "PENALTIES",
    "SMOOTHINGS",
    "STEPS",
    "Found",
    "Sources",
    "corpus",
    "decode",
    "measure",
    "most_probable",
    "score",
    "score_of_references",
    "train",
]

N_TRAIN, N_TEST, N_EXACT = 5000, 80, 20
TOKENS, RATE, WARM_UP, CLIP = 384, 0.005, 100, 1.0
D_MODEL, N_HEADS, N_LAYERS = 48, 4, 1
STEPS = (150, 250)
SMOOTHINGS = (0.0, 0.1)
BEAMS = (1, 2, 4, 10, 50)
PENALTIES = (0.6, 1.0)
PENALIZED = (4, 50)
LONGEST = 30
ROWS = 40


@cache
def corpus() -> ParallelCorpus:
    """Numbers to 999,999 in German and English."""
    return load_number_words(n_train=N_TRAIN, n_valid=0, n_test=N_TEST)


def train(seed: int, smoothing: float, steps: Sequence[int] = STEPS) -> Iterator[tuple[int, EncoderDecoder]]:
    """Train a translator with one block on each side; it is given out after each of `steps`."""
    generator = torch.Generator().manual_seed(seed)
    source, target = corpus().source_tokenizer, corpus().target_tokenizer
    config = TransformerConfig(
        vocab_size=target.vocab_size,
        source_vocab_size=source.vocab_size,
        start_token=target.end_token,
        context_length=70,
        d_model=D_MODEL,
        n_heads=N_HEADS,
        n_layers=N_LAYERS,
    )
    model = EncoderDecoder(config, generator=generator)
    pairs = encode_pairs(corpus().train, source, target)
    batches = PairBatches(pairs, TOKENS, seed, end_token=target.end_token)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE, betas=(0.9, 0.98), fused=True)
    warm_up = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / WARM_UP))
    for step in range(1, max(steps) + 1):
        loss = translation_loss(model, tuple(batches.batch(step - 1)), label_smoothing=smoothing)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        warm_up.step()
        if step in steps:
            yield step, model.eval()
            model.train()


class Found(NamedTuple):
    """A translation and its log-probability, in nats."""

    text: str
    log_prob: float


class Sources:
    """Test pairs, in batches of sources of similar lengths.

    Parameters
    ----------
    n
        How many of the test part.
    """

    def __init__(self, n: int = N_TEST) -> None:
        pairs = sorted(corpus().test[:n], key=lambda pair: len(pair[0]))
        self.references = [target for _, target in pairs]
        encoded = encode_pairs(pairs, corpus().source_tokenizer, corpus().target_tokenizer)
        self.encoded = [encoded[first : first + ROWS] for first in range(0, n, ROWS)]

    def conditioned(self, model: EncoderDecoder, rows: int | None = None) -> Iterator[SequenceModel]:
        """The model of the targets of each batch, or of groups of so many rows."""
        for batch in self.encoded:
            for first in range(0, len(batch), rows or ROWS):
                some = [torch.tensor(source) for source, _ in batch[first : first + (rows or ROWS)]]
                lengths = torch.tensor([len(source) for source in some])
                yield model.condition(nn.utils.rnn.pad_sequence(some, True), lengths)


def decode(model: EncoderDecoder, sources: Sources, n_beams: int, length_penalty: float = 0.0) -> list[Found]:
    """The best hypothesis of a beam search for each source."""
    target, found = corpus().target_tokenizer, []
    for conditioned, batch in zip(sources.conditioned(model), sources.encoded):
        hypotheses = beam_search(
            conditioned,
            LONGEST,
            end_token=target.end_token,
            batch_size=len(batch),
            n_beams=n_beams,
            length_penalty=length_penalty,
        )
        for tokens, log_prob in zip(hypotheses.sequences[:, 0].tolist(), hypotheses.log_probs[:, 0].tolist()):
            found.append(Found(target.decode(_before_end(tokens, target.end_token)), log_prob))
    return found


def _before_end(tokens: list[int], end: int) -> list[int]:
    return tokens[: tokens.index(end)] if end in tokens else tokens


@torch.no_grad()
def score_of_references(model: EncoderDecoder, sources: Sources) -> list[float]:
    """The log-probability of each reference, its end included."""
    end, scores = corpus().target_tokenizer.end_token, []
    for conditioned, batch in zip(sources.conditioned(model), sources.encoded):
        targets = [torch.tensor([*target, end]) for _, target in batch]
        padded = nn.utils.rnn.pad_sequence(targets, True, padding_value=IGNORED)
        log_probs = conditioned.conditional_log_probs(padded.clamp(min=0))
        scores.extend((log_probs * (padded != IGNORED)).sum(1).tolist())
    return scores


@torch.no_grad()
def most_probable(
    model: SequenceModel, end: int, known: Found, *, n_tokens: int = LONGEST, most: int = 2000
) -> tuple[Int[Tensor, " time"] | None, float] | None:
    """The most probable text of all, if it is more probable than a ``known`` one.

    A prefix is dropped as soon as it is no more probable than the best finished text, since its
    continuations cannot be. ``None`` if more than ``most`` prefixes are alive at once; for one row.

    Returns
    -------
    The tokens before the end and their log-probability, or ``None`` and that of ``known``.
    """
    prefixes = torch.empty(1, 0, dtype=torch.long, device=device_of(model))
    logits, state = read_prompt(model, prefixes)
    log_p, best, found = logits.new_zeros(1), known.log_prob + 1e-4, None
    for _ in range(n_tokens):
        totals = log_p[:, None] + logits.log_softmax(-1)
        ended = totals[:, end]
        if ended.max() > best:
            best, found = float(ended.max()), prefixes[ended.argmax()]
        alive = totals > best
        alive[:, end] = False
        rows, tokens = alive.nonzero(as_tuple=True)
        if len(rows) == 0:
            break
        if len(rows) > most:
            return None
        log_p = totals[rows, tokens]
        prefixes = torch.cat([prefixes[rows], tokens[:, None]], 1)
        logits, state = model.step(tokens, model.select_state(state, rows))
    return found, (known.log_prob if found is None else best)


def score(found: Sequence[Found], references: Sequence[str], log_probs: Sequence[float]) -> dict[str, float]:
    """Exact match, BLEU, and how long and how probable the translations are beside the references.

    ``missed`` is the share of sources whose reference is more probable than what was found, and ``empty``
    that of empty translations.
    """
    texts = [translation.text for translation in found]
    return {
        "exact": exact_match(texts, references),
        "bleu": round(bleu(texts, references).score, 2),
        "words": round(sum(map(_words, texts)) / sum(map(_words, references)), 4),
        "empty": sum(not text for text in texts) / len(texts),
        "nats": round(-sum(f.log_prob for f in found) / len(found), 4),
        "missed": sum(f.log_prob < log_p - 1e-3 for f, log_p in zip(found, log_probs)) / len(found),
    }


def _words(text: str) -> int:
    return len(text.replace("-", " ").split())


def exact(model: EncoderDecoder, sources: Sources, found: Sequence[Found]) -> dict[str, float]:
    """What an exact search finds, for the first few sources whose search ends; ``found`` is by beams."""
    target, texts, rows = corpus().target_tokenizer, [], []
    best = []
    for row, conditioned in enumerate(sources.conditioned(model, rows=1)):
        result = most_probable(conditioned, target.end_token, found[row])
        if result is not None:
            tokens, log_prob = result
            texts.append(found[row].text if tokens is None else target.decode(tokens.tolist()))
            best.append(log_prob)
            rows.append(row)
    n = max(1, len(rows))
    return {
        "searched": len(rows) / len(found),
        "exact": sum(text == sources.references[row] for text, row in zip(texts, rows)) / n,
        "empty": sum(not text for text in texts) / n,
        "nats": round(-sum(best) / n, 4),
        "found": sum(found[row].text == text for text, row in zip(texts, rows)) / n,
    }


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    smoothing: float,
    steps: tuple[int, ...] = STEPS,
    n_test: int = N_TEST,
) -> dict[str, Any]:
    """The scores after each of ``steps``, by beams and length penalty, and those of an exact search.

    The translations are the outputs, in the order of :class:`Sources`.
    """
    sources, few = Sources(n_test), Sources(min(n_test, N_EXACT))
    result: dict[str, Any] = {}
    outputs: dict[str, dict[str, list[str]]] = {}
    for step, model in train(seed, smoothing, steps):
        log_probs = score_of_references(model, sources)
        scores: dict[str, Any] = {"reference": {"nats": round(-sum(log_probs) / len(log_probs), 4)}}
        texts = outputs[str(step)] = {}
        for n_beams in BEAMS:
            for alpha in (0.0, *(PENALTIES if n_beams in PENALIZED else ())):
                found, name = decode(model, sources, n_beams, alpha), f"{n_beams} beams, {alpha:g}"
                scores[name] = score(found, sources.references, log_probs)
                texts[name] = [translation.text for translation in found]
        scores["search"] = exact(model, few, decode(model, few, BEAMS[-1]))
        result[str(step)] = scores
    return result | {"outputs": outputs}


EXPERIMENT = Experiment(
    name="beams",
    chapter=14,
    description="beams, length penalty and exact search, on translators that are stopped early",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "optimizer": "Adam",
        "rate": RATE,
        "warm_up": WARM_UP,
        "tokens_per_batch": TOKENS,
        "clip": CLIP,
        "steps": STEPS,
        "d_model": D_MODEL,
        "n_heads": N_HEADS,
        "n_layers": N_LAYERS,
        "test_pairs": N_TEST,
    },
    data=lambda: {"name": corpus().name, "sha256": corpus().sha256},
    conditions=tuple({"smoothing": smoothing} for smoothing in SMOOTHINGS),
)
