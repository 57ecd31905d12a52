"""How well a trained model predicts a text, or translates pairs: what ``evaluate`` prints."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from tqdm import tqdm

from transformer_lib.autoregressive import SequenceModel, device_of
from transformer_lib.data import IGNORED, PairBatches, SymbolTokenizer, Tokenizer, encode_pairs, token_stream
from transformer_lib.data.pairs import Pair
from transformer_lib.experiments.translator import Translator
from transformer_lib.metrics import bits, bleu, exact_match, perplexity
from transformer_lib.training import evaluate_language_model, translation_loss

__all__ = ["TextScore", "TranslationScore", "score_text", "score_translator", "target_nats"]

TOKENS_AT_ONCE = 2048
BEAMS, LENGTH_PENALTY = 4, 0.6


@dataclass(frozen=True)
class TextScore:
    """How well a language model predicts a text.

    Attributes
    ----------
    nats_per_token, perplexity : float
        The end of each document is a token.
    bits_per_character : float or None
        The end of each document is a character; ``None`` where tokens are unknown, so that the model
        predicts less than the text.
    tokens, unknown_tokens, characters : int
        In the text.
    """

    nats_per_token: float
    perplexity: float
    bits_per_character: float | None
    tokens: int
    unknown_tokens: int
    characters: int

    def __str__(self) -> str:
        rows = [("nats/token", f"{self.nats_per_token:.4f}"), ("perplexity", f"{self.perplexity:.3f}")]
        if self.bits_per_character is not None:
            rows.append(("bits/character", f"{self.bits_per_character:.4f}"))
        rows += [("tokens", f"{self.tokens:,}"), ("of them unknown", f"{self.unknown_tokens:,}")]
        return "\n".join(f"  {name:<20}{value:>14}" for name, value in rows)


@dataclass(frozen=True)
class TranslationScore:
    """How well a translator does on pairs, with one reference each.

    Attributes
    ----------
    pairs, target_tokens : int
        How many; the end of each target is a token.
    nats_per_token : float
        Of target tokens, each given the right ones before it.
    exact_match, bleu : dict of float
        By way to decode, ``greedy`` and ``beam``: the share of translations that equal their reference, and
        BLEU from 0 to 100.
    signature : str
        How sacreBLEU computed that.
    n_beams, length_penalty : int, float
        Of the beam search.
    translations : list of str
        By beam search.
    """

    pairs: int
    target_tokens: int
    nats_per_token: float
    exact_match: dict[str, float]
    bleu: dict[str, float]
    signature: str
    n_beams: int
    length_penalty: float
    translations: list[str]

    def __str__(self) -> str:
        names = {"greedy": "greedy", "beam": f"{self.n_beams} beams, length penalty {self.length_penalty:g}"}
        rows = [f"  {'':<32}{'exact match':>14}{'BLEU':>10}"]
        rows += [
            f"  {name:<32}{self.exact_match[key]:>14.1%}{self.bleu[key]:>10.2f}"
            for key, name in names.items()
        ]
        rows += [
            f"  on {self.pairs:,} pairs; {self.nats_per_token:.4f} nats/token of {self.target_tokens:,} "
            "target tokens",
            f"  BLEU: {self.signature}",
        ]
        return "\n".join(rows)


def score_text(
    model: SequenceModel, tokenizer: Tokenizer, documents: Sequence[str], *, progress: bool = False
) -> TextScore:
    """How well ``model`` predicts ``documents``, with as much history as half its context and more.

    Raises
    ------
    ValueError
        If there is no text, or it has symbols that have no token.
    """
    stream = token_stream(documents, tokenizer)
    unknown = 0
    if isinstance(tokenizer, SymbolTokenizer) and len(tokenizer.specials) > 1:
        unknown = int((stream == 1).sum())
    characters = sum(len(document) + 1 for document in documents)
    with _bar(progress, len(stream), "token") as advance:
        score = evaluate_language_model(model, stream, on_scored=advance)
    return TextScore(
        nats_per_token=score.nats,
        perplexity=perplexity(score.nats),
        bits_per_character=None if unknown else bits(score.nats) * score.tokens / characters,
        tokens=score.tokens,
        unknown_tokens=unknown,
        characters=characters,
    )


def score_translator(
    translator: Translator,
    pairs: Sequence[Pair],
    *,
    n_beams: int = BEAMS,
    length_penalty: float = LENGTH_PENALTY,
    progress: bool = False,
) -> TranslationScore:
    """How well ``translator`` does on ``pairs``, greedily and by beam search.

    Raises
    ------
    ValueError
        If there are no pairs, one does not fit into the model, or a setting is out of its range.
    ImportError
        If sacreBLEU is not installed.
    """
    if not pairs:
        raise ValueError("there is nothing to translate: there are no pairs")
    sources, references = [source for source, _ in pairs], [target for _, target in pairs]
    encoded = encode_pairs(pairs, translator.source_tokenizer, translator.target_tokenizer)
    check_fits(encoded, translator.context_length)
    found = {}
    for name, options in (("greedy", {}), ("beam", {"n_beams": n_beams, "length_penalty": length_penalty})):
        with _bar(progress, len(pairs), "sentence", name) as advance:
            found[name] = translator.translate(sources, on_batch=advance, **options)
    scores = {name: bleu(texts, references) for name, texts in found.items()}
    nats, n_tokens = target_nats(translator, encoded)
    return TranslationScore(
        pairs=len(pairs),
        target_tokens=n_tokens,
        nats_per_token=nats,
        exact_match={name: exact_match(texts, references) for name, texts in found.items()},
        bleu={name: score.score for name, score in scores.items()},
        signature=scores["beam"].signature,
        n_beams=n_beams,
        length_penalty=length_penalty,
        translations=found["beam"],
    )


@torch.no_grad()
def target_nats(translator: Translator, encoded: Sequence[tuple[list[int], list[int]]]) -> tuple[float, int]:
    r"""The mean :math:`-\log p(y_t \mid y_{<t}, x)` of a target token, ends included, and how many there are.

    Source: S1, G1
    """
    longest = max(len(target) + 1 for _, target in encoded)
    batches = PairBatches(
        encoded, max(TOKENS_AT_ONCE, longest), end_token=translator.target_tokenizer.end_token
    )
    model = translator.model
    device, total, n_tokens = device_of(model), 0.0, 0
    for number in range(batches.batches_per_epoch):
        batch = batches.batch(number)
        count = int((batch.targets != IGNORED).sum())
        total += translation_loss(model, tuple(part.to(device) for part in batch)).item() * count
        n_tokens += count
    return total / n_tokens, n_tokens


def check_fits(encoded: Sequence[tuple[list[int], list[int]]], context_length: int | None) -> None:
    """Refuse pairs that are longer than the model reads.

    Raises
    ------
    ValueError
        Naming the context that would do.
    """
    longest = max(max(len(source), len(target) + 1) for source, target in encoded)
    if context_length is not None and longest > context_length:
        raise ValueError(
            f"the longest sentence has {longest} tokens, its end counted, which is more than the model's "
            f"context_length of {context_length}: a model needs context_length={longest}"
        )


@contextmanager
def _bar(is_shown: bool, total: int, unit: str, name: str | None = None) -> Iterator[Callable[[int], object]]:
    """A bar on standard error, and what advances it."""
    with tqdm(total=total, unit=unit, desc=name, disable=not is_shown) as bar:
        yield bar.update
