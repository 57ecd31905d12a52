"""A parallel corpus: sentences with their translations, in train, valid and test."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from transformer_lib.data.bpe import BpeTokenizer
from transformer_lib.data.corpus import sha256_of
from transformer_lib.data.tokenizers import Tokenizer

Pair = tuple[str, str]
"""A sentence and its translation: (source, target)."""

EncodedPair = tuple[list[int], list[int]]
"""The ids of a source and of its target, without ``<eos>``."""


@dataclass(frozen=True)
class ParallelCorpus:
    """Pairs of sentences in three parts.

    Attributes
    ----------
    name, description
        What the corpus is called and, in a sentence, what it is.
    train, valid, test
        The pairs (source, target) of each part.
    source_tokenizer, target_tokenizer
        The tokenizers that suit the two sides, from `train` alone; the same object where the sides share
        their vocabulary.
    """

    name: str
    train: Sequence[Pair]
    valid: Sequence[Pair]
    test: Sequence[Pair]
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    description: str

    @cached_property
    def sha256(self) -> str:
        """SHA-256, in hexadecimal, of the text as it is split into pairs and parts."""
        return sha256_of(self.train, self.valid, self.test)


def encode_pairs(
    pairs: Iterable[Pair], source_tokenizer: Tokenizer, target_tokenizer: Tokenizer
) -> list[EncodedPair]:
    """The ids of each pair's source and target; no ``<eos>`` is added."""
    return [(source_tokenizer.encode(source), target_tokenizer.encode(target)) for source, target in pairs]


def encode_pairs_with_dropout(
    pairs: Iterable[Pair],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    rate: float,
    epoch: int,
    *,
    seed: int = 0,
    longest: int | None = None,
) -> list[EncodedPair]:
    """The ids of each pair in the pieces of one epoch, which seed and epoch decide.

    Parameters
    ----------
    rate
        The probability with which a merge is passed over.
    longest
        The most tokens of a source, and of a target with its end. A pair that would have more keeps the
        pieces that it has without dropout.

    Raises
    ------
    ValueError
        If a tokenizer is not :class:`~transformer_lib.data.BpeTokenizer`, or the rate is not in [0, 1).
    """
    if not (isinstance(source_tokenizer, BpeTokenizer) and isinstance(target_tokenizer, BpeTokenizer)):
        kinds = f"{source_tokenizer.kind!r} and {target_tokenizer.kind!r}"
        raise ValueError(f"only pieces of 'bpe' can be drawn anew; the tokenizers are {kinds}")
    generator = random.Random((seed << 32) + epoch)
    encoded = []
    for source, target in pairs:
        one = source_tokenizer.encode_with_dropout(source, rate, generator)
        other = target_tokenizer.encode_with_dropout(target, rate, generator)
        if longest is not None and max(len(one), len(other) + 1) > longest:
            one, other = source_tokenizer.encode(source), target_tokenizer.encode(target)
        encoded.append((one, other))
    return encoded
