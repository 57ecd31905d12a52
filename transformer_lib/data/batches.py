"""Batches for a language model, each computable from its number alone: a stopped run resumes where it was."""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Int, Int64
from torch import Tensor


class LanguageModelBatches:
    """Windows of `context_length` tokens of one stream, in an order drawn anew each epoch.

    An epoch cuts the stream into consecutive windows, from a random offset on (so that a token meets other
    contexts in other epochs), and deals each window once. Batches run on across epochs: none is ever short.

    Parameters
    ----------
    tokens
        The stream, such as `token_stream` makes. At least `context_length` + 1 tokens.
    batch_size, context_length
        Windows per batch; inputs per window.
    seed
        Seed of the offsets and orders.

    Raises
    ------
    ValueError
        If a size is not positive, the seed is negative or the stream is too short.
    """

    def __init__(
        self, tokens: Int64[np.ndarray, " tokens"], batch_size: int, context_length: int, seed: int = 0
    ) -> None:
        if batch_size < 1 or context_length < 1:
            raise ValueError(
                f"batch_size={batch_size} and context_length={context_length}: both must be 1 or more"
            )
        if seed < 0:
            raise ValueError(f"the seed is {seed}: give 0 or a positive number")
        if len(tokens) <= context_length:
            raise ValueError(
                f"the stream has {len(tokens)} tokens: a context of {context_length} needs at least "
                f"{context_length + 1}; give more text or a shorter context"
            )
        self.batch_size = batch_size
        self.context_length = context_length
        self.windows_per_epoch = max(1, len(tokens) // context_length - 1)
        self._tokens = torch.from_numpy(tokens)
        self._seed = seed
        self._starts: dict[int, list[int]] = {}

    def batch(self, step: int) -> tuple[Int[Tensor, "batch time"], Int[Tensor, "batch time"]]:
        """Batch number `step` (from 0 on): inputs, and as targets the token after each input."""
        if step < 0:
            raise ValueError(f"there is no step {step}: steps count from 0")
        windows = range(step * self.batch_size, (step + 1) * self.batch_size)
        starts = [
            self._starts_of(epoch)[place]
            for epoch, place in (divmod(window, self.windows_per_epoch) for window in windows)
        ]
        span = torch.tensor(starts)[:, None] + torch.arange(self.context_length + 1)
        rows = self._tokens[span]
        return rows[:, :-1], rows[:, 1:]

    def _starts_of(self, epoch: int) -> list[int]:
        """Where the windows of an epoch begin, in their order.

        Those of the last two epochs that were asked for are kept.
        """
        if epoch not in self._starts:
            rng = np.random.default_rng([self._seed, epoch])
            spare = len(self._tokens) - 1 - self.windows_per_epoch * self.context_length
            offset = rng.integers(spare + 1)
            order = rng.permutation(self.windows_per_epoch)
            while len(self._starts) > 1:
                del self._starts[next(iter(self._starts))]
            self._starts[epoch] = (offset + self.context_length * order).tolist()
        return self._starts[epoch]


class StreamBatch(NamedTuple):
    """One batch of `StreamBatches`."""

    inputs: Int[Tensor, "batch time"]
    """Tokens."""

    targets: Int[Tensor, "batch time"]
    """The token after each input."""

    begins: bool
    """Whether an epoch begins: the context carried so far must be dropped. Otherwise each row of `inputs`
    goes on where the same row of the batch before stopped."""


class StreamBatches:
    """One stream as `batch_size` long rows, for models that carry their context from batch to batch.

    The rows are read side by side from left to right. Row r holds the r-th of `batch_size` equal pieces of
    the stream. The last batch of an epoch is shorter where `context_length` does not divide the rows, so that
    every token but the stream's first, and less than `batch_size` at its end, is a target exactly once an
    epoch. Nothing is random: order is the point.

    Parameters
    ----------
    tokens
        The stream, such as `token_stream` makes.
    batch_size, context_length
        Rows; inputs of a row per batch.

    Raises
    ------
    ValueError
        If a size is not positive, or the stream has no input and target for each row.
    """

    def __init__(self, tokens: Int64[np.ndarray, " tokens"], batch_size: int, context_length: int) -> None:
        if batch_size < 1 or context_length < 1:
            raise ValueError(
                f"batch_size={batch_size} and context_length={context_length}: both must be 1 or more"
            )
        length = (len(tokens) - 1) // batch_size
        if length < 1:
            raise ValueError(
                f"the stream has {len(tokens)} tokens: {batch_size} rows need at least {batch_size + 1}; "
                "give more text or fewer rows"
            )
        self.batch_size = batch_size
        self.context_length = context_length
        self.batches_per_epoch = -(-length // context_length)
        used = torch.from_numpy(tokens[: batch_size * length + 1])
        self._inputs = used[:-1].view(batch_size, length)
        self._targets = used[1:].view(batch_size, length)

    def batch(self, step: int) -> StreamBatch:
        """Batch number `step` (from 0 on)."""
        if step < 0:
            raise ValueError(f"there is no step {step}: steps count from 0")
        place = step % self.batches_per_epoch
        window = slice(place * self.context_length, (place + 1) * self.context_length)
        return StreamBatch(self._inputs[:, window], self._targets[:, window], place == 0)
