"""A parallel corpus: sentences with their translations, in train, valid and test."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from transformer_lib.data.bpe import BpeTokenizer
from transformer_lib.data.corpus import permutation, read_text, sha256_of
from transformer_lib.data.tokenizers import Tokenizer

JOINT_VOCAB_SIZE = 8_000
FEWEST_PAIRS = 100

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


def read_pairs(path: str | Path) -> list[Pair]:
    """The pairs in a UTF-8 file: on each line that is not empty a source, a tab and its target.

    Raises
    ------
    ValueError
        If the file cannot be read or is not UTF-8, or a line does not have one tab, naming it.
    """
    pairs = []
    for number, line in enumerate(read_text(Path(path)).split("\n"), start=1):
        if line.strip():
            source, tab, target = line.partition("\t")
            if not tab or "\t" in target:
                raise ValueError(f"line {number} of {path} must be a source, one tab and its target")
            pairs.append((source.strip(), target.strip()))
    return pairs


def read_parallel_corpus(path: str | Path) -> ParallelCorpus:
    """Read a file of pairs, as :func:`read_pairs` does, as a parallel corpus.

    Such files are often sorted, so the parts are drawn, the same ones each time: 90 % of the pairs are for
    training, and 5 % each for validation and test. Of these only the pairs are kept of which neither sentence
    is in the training part. One byte-level BPE vocabulary of 8,000 serves both sides.

    Raises
    ------
    ValueError
        If the file cannot be read as pairs, has fewer than 100, or leaves none for validation or test.
    """
    path = Path(path)
    pairs = read_pairs(path)
    if len(pairs) < FEWEST_PAIRS:
        raise ValueError(f"{path} has {len(pairs):,} pairs: at least {FEWEST_PAIRS} are needed")
    drawn = [pairs[place] for place in permutation(len(pairs), 0)]
    n_held_out = len(pairs) // 20
    valid, test, train = drawn[:n_held_out], drawn[n_held_out : 2 * n_held_out], drawn[2 * n_held_out :]
    parts = without_known_sentences([train, valid, test])
    if not all(parts):
        raise ValueError(f"{path} repeats its sentences: no pair is left for validation or test")
    return with_joint_bpe(path.name, parts, "pairs of a file")


def without_known_sentences(parts: Sequence[list[Pair]]) -> list[list[Pair]]:
    """The training part as it is; of the others the pairs of which neither sentence is in it."""
    train, *held_out = parts
    known = {sentence for pair in train for sentence in pair}
    return [train, *([pair for pair in part if known.isdisjoint(pair)] for part in held_out)]


def with_joint_bpe(name: str, parts: Sequence[list[Pair]], description: str) -> ParallelCorpus:
    """The corpus of these parts with one byte-level BPE vocabulary of 8,000 for both sides."""
    train, valid, test = parts
    tokenizer = BpeTokenizer.fit(
        (sentence for pair in train for sentence in pair), vocab_size=JOINT_VOCAB_SIZE
    )
    return ParallelCorpus(name, train, valid, test, tokenizer, tokenizer, description)


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
        raise ValueError(f"only pieces of 'bpe' can be drawn again; the tokenizers are {kinds}")
    generator = random.Random((seed << 32) + epoch)
    encoded = []
    for source, target in pairs:
        one = source_tokenizer.encode_with_dropout(source, rate, generator)
        other = target_tokenizer.encode_with_dropout(target, rate, generator)
        if longest is not None and max(len(one), len(other) + 1) > longest:
            one, other = source_tokenizer.encode(source), target_tokenizer.encode(target)
        encoded.append((one, other))
    return encoded
