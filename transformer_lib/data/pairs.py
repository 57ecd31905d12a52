"""Sentences with their translations: a parallel corpus, and batches padded as little as lengths allow."""

import logging
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.checks import check_not_negative
from transformer_lib.data.bpe import BpeTokenizer
from transformer_lib.data.corpus import clean_sentence, permutation, read_text, sha256_of
from transformer_lib.data.tokenizers import Tokenizer
from transformer_lib.losses import IGNORED_TARGET

log = logging.getLogger(__name__)

JOINT_VOCAB_SIZE = 8_000
FEWEST_PAIRS = 100

IGNORED = IGNORED_TARGET
"""The target of a place that is only padding: no loss counts it."""

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
        If the file cannot be read or is not UTF-8, or a line does not have one tab, or a side of it is empty,
        naming the line.
    """
    return [pair for _, pair in numbered_pairs(path)]


def numbered_pairs(path: str | Path) -> Iterator[tuple[int, Pair]]:
    """The pairs of :func:`read_pairs` with the numbers of their lines."""
    one_sided = []
    for number, line in enumerate(read_text(Path(path)).split("\n"), start=1):
        if line.strip():
            fields = line.split("\t")
            if len(fields) != 2:
                what = f"it has {len(fields)} fields: keep two of them" if fields[1:] else "it has no tab"
                raise ValueError(f"line {number} of {path} must be a source, one tab and its target; {what}")
            source, target = map(clean_sentence, fields)
            if source and target:
                yield number, (source, target)
            else:
                one_sided.append((number, "target" if source else "source"))
    if one_sided:
        (number, side), n_more = one_sided[0], len(one_sided) - 1
        more = f", and {n_more:,} more lines have an empty side" if n_more else ""
        raise ValueError(f"line {number} of {path} has no {side}{more}: complete them or leave them out")


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


def check_fits(
    pairs: Sequence[Pair],
    encoded: Sequence[EncodedPair],
    context_length: int | None,
    path: str | Path | None = None,
) -> None:
    """Refuse pairs that are longer than a model reads, naming the longest and the context that would do.

    Raises
    ------
    ValueError
        With the line of the pair in the file ``path`` if they come from one, else with its beginning.
    """
    lengths = [max(len(source), len(target) + 1) for source, target in encoded]
    longest = max(lengths, default=0)
    if context_length is None or longest <= context_length:
        return
    pair, n_long = pairs[lengths.index(longest)], sum(length > context_length for length in lengths)
    lines = numbered_pairs(path) if path is not None else ()
    line = next((number for number, other in lines if other == pair), None)
    where = f"the pair {pair[0][:40]!r}" if line is None else f"line {line} of {path}"
    raise ValueError(
        f"the longest sentence has {longest} tokens with its end, more than the model's context_length of "
        f"{context_length}: a model needs context_length={longest}, or --skip-long leaves out what is too "
        f"long: {where}" + (f", and {n_long - 1:,} more" if n_long > 1 else "")
    )


def without_long(
    part: str, pairs: Sequence[Pair], encoded: Sequence[EncodedPair], context_length: int | None
) -> tuple[list[Pair], list[EncodedPair]]:
    """The pairs of a part that a model can read, with their ids; how many are left out is said.

    Raises
    ------
    ValueError
        If none is left.
    """
    most = float("inf") if context_length is None else context_length
    fits = [max(len(source), len(target) + 1) <= most for source, target in encoded]
    if n_long := fits.count(False):
        log.warning("%s part: %s pairs are longer than the model reads, and left out", part, f"{n_long:,}")
    if fits and not any(fits):
        raise ValueError(f"no pair of the {part} part has room in context_length={context_length}")
    return list(compress(pairs, fits)), list(compress(encoded, fits))


class PairBatch(NamedTuple):
    """Pairs side by side, each row filled up to the longest."""

    source: Int[Tensor, "batch source_time"]
    """The source tokens, then padding."""

    source_lengths: Int[Tensor, " batch"]
    """How many tokens of each row of `source` are not padding."""

    inputs: Int[Tensor, "batch time"]
    """What the decoder reads: the start token and the target tokens, then padding."""

    targets: Int[Tensor, "batch time"]
    """What it must predict at each place: the target tokens and ``<eos>``, then `IGNORED`."""


class PairBatches:
    """Pairs of nearly equal lengths together; every pair once per epoch.

    Each epoch sorts the pairs by the length of the target and then of the source, pairs of equal lengths in
    a new random order; cuts the row into batches; and deals these in a random order. Every epoch has the
    same number of batches, and each depends on its number alone.

    A batch holds as many pairs as fit into a budget of target tokens, not a fixed number of pairs: then a
    step makes about as many predictions, and takes about as much memory, for short sentences as for long.

    Parameters
    ----------
    pairs
        Ids of each source and target, such as `encode_pairs` makes, without ``<eos>``.
    tokens_per_batch
        The most target tokens that a batch holds, ``<eos>`` and padding counted.
    seed
        Seed of the orders.
    end_token
        The id of ``<eos>``; it also is the start token, and pads `source` and `inputs`, where the values do
        not matter.
    redraw
        Gives the pairs as they are to be read in an epoch, from its number, if that is not always the same.
        Batches are cut by the lengths of `pairs` all the same.

    Raises
    ------
    ValueError
        If there are no pairs, a target does not fit into a batch, or the seed is negative.
    """

    def __init__(
        self,
        pairs: Sequence[EncodedPair],
        tokens_per_batch: int,
        seed: int = 0,
        *,
        end_token: int = 0,
        redraw: Callable[[int], Sequence[EncodedPair]] | None = None,
    ) -> None:
        if not pairs:
            raise ValueError("there are no pairs: give at least one")
        check_not_negative(seed=seed)
        self.tokens_per_batch = tokens_per_batch
        self._pairs = pairs
        self._redraw = redraw
        self._seed = seed
        self._end_token = end_token
        self._lengths = [(len(target) + 1, len(source)) for source, target in pairs]
        longest = max(range(len(pairs)), key=self._lengths.__getitem__)
        if self._lengths[longest][0] > tokens_per_batch:
            raise ValueError(
                f"the target of pair {longest} has {self._lengths[longest][0]} tokens with <eos>, more than "
                f"tokens_per_batch={tokens_per_batch}: raise that, or leave the pair out"
            )
        self._bounds = self._cut()
        self._epoch: tuple[int, Sequence[EncodedPair], list[list[int]]] = (-1, pairs, [])

    @property
    def batches_per_epoch(self) -> int:
        """How many batches deal every pair once."""
        return len(self._bounds)

    def batch(self, step: int) -> PairBatch:
        """Batch number `step` (from 0 on)."""
        check_not_negative(step=step)
        epoch, place = divmod(step, self.batches_per_epoch)
        if self._epoch[0] != epoch:
            read = self._pairs if self._redraw is None else self._redraw(epoch)
            self._epoch = (epoch, read, self._deal(epoch))
        _, read, dealt = self._epoch
        sources, targets = zip(*(read[i] for i in dealt[place]))
        end = self._end_token
        return PairBatch(
            source=_padded(sources, end),
            source_lengths=torch.tensor([len(source) for source in sources]),
            inputs=_padded([[end, *target] for target in targets], end),
            targets=_padded([[*target, end] for target in targets], IGNORED),
        )

    def _cut(self) -> list[slice]:
        """Where the batches of the sorted pairs begin and end: the same whatever the order of equal ones."""
        bounds, start = [], 0
        for stop, (length, _) in enumerate(sorted(self._lengths)):
            if (stop + 1 - start) * length > self.tokens_per_batch:
                bounds.append(slice(start, stop))
                start = stop
        return [*bounds, slice(start, len(self._lengths))]

    def _deal(self, epoch: int) -> list[list[int]]:
        seed = (self._seed << 32) + epoch
        ordered = sorted(permutation(len(self._pairs), seed), key=self._lengths.__getitem__)
        return [ordered[self._bounds[i]] for i in permutation(len(self._bounds), seed)]


def _padded(rows: Sequence[Sequence[int]], filler: int) -> Int[Tensor, "batch time"]:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows], dtype=torch.long)
