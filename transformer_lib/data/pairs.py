"""A parallel corpus: sentences with their translations, in train, valid and test."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

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
