"""Translators: training one on pairs of sentences, translating, and counting what equals its reference.

This is what ``python -m transformer_lib train --data number-words-de-en`` runs (chapter 13), and the
experiment ``number-words``.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor
from tqdm import tqdm

from transformer_lib.checks import check_whole
from transformer_lib.data import (
    IGNORED,
    PAIRS,
    PairBatches,
    ParallelCorpus,
    Tokenizer,
    clean_sentence,
    encode_pairs,
    encode_pairs_with_dropout,
    load_pairs,
    unknown_symbols,
)
from transformer_lib.data.pairs import EncodedPair, Pair, check_fits, without_long
from transformer_lib.decoding.beam import beam_search, length_penalty_factor
from transformer_lib.decoding.sampling import generate
from transformer_lib.interfaces import ConditionalModel, device_of, evaluation_mode
from transformer_lib.metrics import bleu, exact_match
from transformer_lib.text.recipe import Recipe
from transformer_lib.text.run import Run, check_batch, in_its_folder
from transformer_lib.training import Record, TrainingConfig, translation_loss
from transformer_lib.training.progress import shows_progress
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

__all__ = [
    "RECIPE",
    "Translator",
    "score_translator",
    "target_nats",
    "train_translator",
    "translation_table",
]

RECIPE = Recipe(
    data="number-words-de-en",
    batch_size=512,
    label_smoothing=0.1,
    training=TrainingConfig(
        steps=1600,
        learning_rate=2e-3,
        schedule="inverse-sqrt",
        warmup_steps=200,
        beta2=0.98,
        weight_decay=0.0,
        evaluate_every=200,
    ),
)
"""What a translator is trained by, unless something else is asked for.

An encoder-decoder, Adam's schedule and smoothed labels as in Vaswani et al. (2017), sections 5.3 and 5.4, and
K. Stratos, 2. Unlike theirs, the blocks are pre-norm with GELU, learned positions, no biases and no dropout,
and the gradient is clipped at norm 1.
"""

VALIDATION_PAIRS = 500
TEST_PAIRS = 500
SHOWN_PAIRS = 4
TEXTS_AT_ONCE = 32
TEXTS_AT_ONCE_ON_A_GPU = 256
TOKENS_AT_ONCE = 2048
MOST_BEAMS = 1_000
BEAMS, LENGTH_PENALTY = 4, 0.6

log = logging.getLogger(__name__)


@in_its_folder
def train_translator(run: Run, build: Callable[..., ConditionalModel] = EncoderDecoder) -> tuple[Record, str]:
    """Train by the run's recipe and translate a part of the test; the record, and a report to print.

    Nothing is written before the data, the settings and the model have proved to be in order. The model is
    ``build(config, generator=...)``.

    Raises
    ------
    ValueError
        If data, settings or model are not in order, or the folder holds a run that is neither to be resumed
        nor overwritten.
    CheckpointError
        If the run cannot be resumed with this recipe.
    ModuleNotFoundError
        If sacreBLEU is not installed.
    """
    import sacrebleu  # noqa: F401  # so that a missing package shows before the training, not after it

    recipe, seed = run.recipe, run.recipe.training.seed
    run.check_folder()
    log.info("reading %s", recipe.data)
    corpus = load_pairs(recipe.data)
    source, target = _tokenizers(recipe, corpus)
    is_shared = source is target
    run.check_resumable(corpus.sha256)
    config = recipe.config(
        vocab_size=target.vocab_size,
        source_vocab_size=None if is_shared else source.vocab_size,
        start_token=target.end_token,
    )
    check_batch("tokens", recipe.batch_size)
    parts = {
        "train": corpus.train,
        "valid": corpus.valid[:VALIDATION_PAIRS],
        "test": corpus.test[:TEST_PAIRS],
    }
    encoded = {}
    for part, pairs in parts.items():
        ids, context_length = encode_pairs(pairs, source, target), config.context_length
        if recipe.skip_long:
            parts[part], ids = without_long(part, pairs, ids, context_length)
        check_fits(parts[part], ids, context_length, None if recipe.data in PAIRS else recipe.data)
        encoded[part] = ids
    redraw = None
    if recipe.bpe_dropout:
        redraw = partial(
            encode_pairs_with_dropout,
            *(parts["train"], source, target, recipe.bpe_dropout),
            seed=seed,
            longest=config.context_length,
        )
    batches = PairBatches(
        encoded["train"], recipe.batch_size, seed, end_token=target.end_token, redraw=redraw
    )
    model = build(config, generator=torch.Generator().manual_seed(seed))
    translator = Translator(model, source, target)

    trained = run.train(
        model,
        partial(translation_loss, label_smoothing=recipe.label_smoothing),
        batches,
        evaluate=lambda model: target_nats(translator, encoded["valid"])[0],
        tokenizer={"source": source.to_dict(), "target": target.to_dict()},
        sha256=corpus.sha256,
    )
    log.info("translating %s sentences of the test part", f"{len(parts['test']):,}")
    score, best = score_translator(translator, parts["test"]), trained.best
    examples = [
        {"source": text, "reference": reference, "translation": translation}
        for (text, reference), translation in zip(parts["test"][:SHOWN_PAIRS], score["translations"])
    ]
    result = {
        "test_pairs": score["pairs"],
        "nats_per_token": {"valid": best.validation_loss if best else None, "test": score["nats_per_token"]},
        **{name: score[name] for name in ("exact_match", "bleu", "n_beams", "length_penalty")},
        "bleu_signature": score["signature"],
        "examples": examples,
    }
    sizes = {part: len(getattr(corpus, part)) for part in parts}
    vocabulary = f"{source.vocab_size:,} to {target.vocab_size:,}{' shared' if is_shared else ''} tokens"
    vocabulary += f" ({source.kind} to {target.kind})"
    shown = [f"  {name:<13}{text}" for example in examples for name, text in example.items()]
    rows = [translation_table(score), "", "Translations by beam search:", *shown]
    return run.finish(model, trained, corpus, ("pairs", sizes), vocabulary, result, rows)


@dataclass(frozen=True)
class Translator:
    """A model with the tokenizers of its two languages.

    Attributes
    ----------
    model : ConditionalModel
        Predicts the target tokens, and the end token after them.
    source_tokenizer, target_tokenizer : Tokenizer
        The same object where the languages share their vocabulary.
    """

    model: ConditionalModel
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer

    @property
    def context_length(self) -> int | None:
        """The most tokens of a source, and of a target with its end; ``None`` if any number will do."""
        return getattr(self.model.config, "context_length", None)

    @property
    def texts_at_once(self) -> int:
        """The texts that are translated together, as far as there are so many: more on a GPU."""
        return TEXTS_AT_ONCE if device_of(self.model).type == "cpu" else TEXTS_AT_ONCE_ON_A_GPU

    def unknown(self, text: str) -> list[str]:
        """The symbols of ``text`` that the model will read as ``<unk>``, each once."""
        return unknown_symbols(self.source_tokenizer, clean_sentence(text))

    def encode(self, text: str) -> list[int]:
        """The source tokens of ``text``, as :func:`~transformer_lib.data.clean_sentence` prepares it.

        Raises
        ------
        ValueError
            If there are more than the model reads, or one that has no token.
        """
        tokens = self.source_tokenizer.encode(clean_sentence(text))
        if self.context_length is not None and len(tokens) > self.context_length:
            raise ValueError(
                f"a text of {len(tokens)} tokens is longer than the model's context_length of "
                f"{self.context_length}: {text[:40]!r}..."
            )
        return tokens

    @torch.no_grad()
    def translate(
        self,
        texts: Sequence[str],
        *,
        n_beams: int = 1,
        length_penalty: float = 0.0,
        on_batch: Callable[[int], object] = lambda n: None,
    ) -> list[str]:
        """The translation of each text, on one line; that of an empty text is empty.

        Texts of similar lengths are translated together. A translation that does not end is cut after
        ``context_length`` tokens, or after 50 and four times as many as the longest of these texts has.

        Parameters
        ----------
        n_beams
            The hypotheses of the beam search; 1 is greedy decoding.
        length_penalty
            Of the beam search.
        on_batch
            Called after each batch with the number of its texts.

        Raises
        ------
        ValueError
            If a text is too long or cannot be read, or as :func:`~transformer_lib.decoding.beam.beam_search`.

        Source: K. Stratos, 2 (4 beams, length penalty)
        """
        check_whole("n_beams", n_beams, 1, MOST_BEAMS)
        length_penalty_factor(4 * (self.context_length or 0) + 50, length_penalty)
        sources = [self.encode(text) for text in texts]
        order = sorted((i for i, source in enumerate(sources) if source), key=lambda i: len(sources[i]))
        size = self.texts_at_once
        translations = [""] * len(texts)
        with evaluation_mode(self.model):
            on_batch(len(texts) - len(order))
            for start in range(0, len(order), size):
                rows = order[start : start + size]
                found = self._translate([sources[i] for i in rows], n_beams, length_penalty)
                for i, tokens in zip(rows, found.tolist(), strict=True):
                    translations[i] = self._text(tokens)
                on_batch(len(rows))
        return translations

    def _translate(
        self, sources: Sequence[Sequence[int]], n_beams: int, length_penalty: float
    ) -> Int[Tensor, "batch time"]:
        device, end = device_of(self.model), self.target_tokenizer.end_token
        lengths = torch.tensor([len(source) for source in sources])
        padded = torch.nn.utils.rnn.pad_sequence([torch.tensor(source) for source in sources], True)
        conditioned = self.model.condition(padded.to(device), lengths.to(device))
        n_tokens = 4 * padded.shape[1] + 50
        if self.context_length is not None:
            n_tokens = min(n_tokens, self.context_length)
        if n_beams == 1:
            nothing = torch.empty(len(sources), 0, dtype=torch.long, device=device)
            return generate(conditioned, nothing, n_tokens, temperature=0.0, end_token=end)
        found = beam_search(
            conditioned,
            n_tokens,
            end_token=end,
            batch_size=len(sources),
            n_beams=n_beams,
            length_penalty=length_penalty,
        )
        return found.sequences[:, 0]

    def _text(self, tokens: Iterable[int]) -> str:
        tokens = list(tokens)
        end = self.target_tokenizer.end_token
        whole = tokens[: tokens.index(end)] if end in tokens else tokens
        return " ".join(self.target_tokenizer.decode(whole).splitlines())


def score_translator(
    translator: Translator,
    pairs: Sequence[Pair],
    *,
    n_beams: int = BEAMS,
    length_penalty: float = LENGTH_PENALTY,
    path: str | Path | None = None,
) -> dict[str, Any]:
    """How well ``translator`` does on ``pairs``, greedily and by beam search.

    ``exact_match``, the share of translations that equal their reference, and ``bleu``, from 0 to 100 with
    sacreBLEU's ``signature``, are dictionaries of ``greedy`` and ``beam``; ``nats_per_token`` is the mean of
    ``target_tokens`` tokens, ends included; the ``translations`` are those of the beam search.

    Raises
    ------
    ValueError
        If there are no pairs, one does not fit into the model, with its line if they are those of the file
        ``path``, or a setting is out of its range.
    ImportError
        If sacreBLEU is not installed.
    """
    import sacrebleu  # noqa: F401  # so that a missing package shows before the translating, not after it

    if not pairs:
        raise ValueError("there is nothing to translate: there are no pairs")
    sources, references = [source for source, _ in pairs], [target for _, target in pairs]
    encoded = encode_pairs(pairs, translator.source_tokenizer, translator.target_tokenizer)
    check_fits(pairs, encoded, translator.context_length, path)
    found = {}
    for name, beams, penalty in (("greedy", 1, 0.0), ("beam", n_beams, length_penalty)):
        with tqdm(total=len(pairs), unit="sentence", desc=name, disable=not shows_progress()) as bar:
            found[name] = translator.translate(
                sources, n_beams=beams, length_penalty=penalty, on_batch=bar.update
            )
    scores = {name: bleu(texts, references) for name, texts in found.items()}
    nats, n_tokens = target_nats(translator, encoded)
    return {
        "pairs": len(pairs),
        "target_tokens": n_tokens,
        "nats_per_token": nats,
        "exact_match": {name: exact_match(texts, references) for name, texts in found.items()},
        "bleu": {name: score.score for name, score in scores.items()},
        "signature": scores["beam"].signature,
        "n_beams": n_beams,
        "length_penalty": length_penalty,
        "translations": found["beam"],
    }


def translation_table(score: Mapping[str, Any]) -> str:
    """What :func:`score_translator` has found, to be printed."""
    beams = f"{score['n_beams']} beams, length penalty {score['length_penalty']:g}"
    rows = [f"  {'':<32}{'exact match':>14}{'BLEU':>10}"]
    for key, name in (("greedy", "greedy"), ("beam", beams)):
        rows.append(f"  {name:<32}{score['exact_match'][key]:>14.1%}{score['bleu'][key]:>10.2f}")
    return "\n".join(
        [
            *rows,
            f"  on {score['pairs']:,} pairs; {score['nats_per_token']:.4f} nats/token of "
            f"{score['target_tokens']:,} target tokens",
            f"  BLEU: {score['signature']}",
        ]
    )


@torch.no_grad()
def target_nats(translator: Translator, encoded: Sequence[EncodedPair]) -> tuple[float, int]:
    r"""The mean :math:`-\log p(y_t \mid y_{<t}, x)` of the target tokens, ends included, and their number.

    Source: S1, G1
    """
    longest = max(len(target) + 1 for _, target in encoded)
    batches = PairBatches(
        encoded, max(TOKENS_AT_ONCE, longest), end_token=translator.target_tokenizer.end_token
    )
    model = translator.model
    device, total, n_tokens = device_of(model), 0.0, 0
    with evaluation_mode(model):
        for number in range(batches.batches_per_epoch):
            batch = batches.batch(number)
            count = int((batch.targets != IGNORED).sum())
            total += translation_loss(model, tuple(part.to(device) for part in batch)).item() * count
            n_tokens += count
    return total / n_tokens, n_tokens


def _tokenizers(recipe: Recipe, corpus: ParallelCorpus) -> tuple[Tokenizer, Tokenizer]:
    """Those of the two languages; pieces of words are shared by both."""
    if recipe.suits(corpus.source_tokenizer, corpus.target_tokenizer):
        return corpus.source_tokenizer, corpus.target_tokenizer
    if recipe.tokenizer == "bpe":
        shared = recipe.fit_tokenizer(sentence for pair in corpus.train for sentence in pair)
        return shared, shared
    sources, targets = zip(*corpus.train)
    return recipe.fit_tokenizer(sources), recipe.fit_tokenizer(targets)
