"""Batches of sentence pairs, padded as little as their lengths allow (chapter 13)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.augmentation import IGNORED_TARGET as IGNORED
from transformer_lib.data.corpus import permutation
from transformer_lib.data.pairs import EncodedPair
from transformer_lib.validation import check_not_negative


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
