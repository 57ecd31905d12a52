"""Batches for a language model, each computed from its number alone, so that a stopped run can be resumed."""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Int, Int64, Integer
from torch import Tensor

from transformer_lib.checks import check_not_negative, check_positive


@runtime_checkable
class Batches(Protocol):
    """Training data by number: ``batch(i)`` gives the same tensors whenever it is asked for."""

    def batch(self, step: int) -> Any:
        """A tensor, or a tuple of them, on the CPU."""


class LanguageModelBatches:
    """Windows of `context_length` tokens of one stream, in an order that is drawn for each epoch.

    The stream is a ring: its last token, the end token of its last document, is followed by its first. An
    epoch cuts the ring of N tokens into ``N // context_length`` consecutive windows, from a random token on,
    and deals each window once. Therefore

    - each window of a batch starts at each of the N tokens with probability 1 / N, so that all alignments of
      windows and text are equally likely and all tokens are inputs, and targets, equally often on average;
    - in one epoch no token is a target twice, and all tokens are targets once, except for
      ``N % context_length`` neighbors, which are equally likely to be anywhere.

    Batches run on across epochs: none is ever short.

    Parameters
    ----------
    tokens
        The stream, of any type of whole numbers, such as `token_stream` makes. A file of tokens need not be
        loaded: ``np.memmap(path, dtype=np.uint16, mode="r")`` reads what is asked for. At least
        `context_length` + 1 tokens.
    batch_size, context_length
        Windows per batch; inputs per window.
    seed
        Seed of the cuts and orders: it and the number of a batch determine the batch.

    Raises
    ------
    ValueError
        If a size is not positive, the seed is negative, or the stream is too short or not of whole numbers.
    """

    def __init__(
        self,
        tokens: Integer[np.ndarray, " tokens"],
        batch_size: int,
        context_length: int,
        seed: int = 0,
    ) -> None:
        _check(tokens, batch_size, context_length)
        check_not_negative(seed=seed)
        n_tokens = len(tokens)
        if n_tokens <= context_length:
            raise ValueError(
                f"the stream has {n_tokens} tokens: a context of {context_length} needs at least "
                f"{context_length + 1}; give more text or a shorter context"
            )
        self.batch_size = batch_size
        self.context_length = context_length
        self.windows_per_epoch = n_tokens // context_length
        self._tokens = tokens
        self._seed = seed
        self._starts: dict[int, list[int]] = {}

    def batch(self, step: int) -> tuple[Int64[Tensor, "batch time"], Int64[Tensor, "batch time"]]:
        """Batch number `step` (from 0 on): inputs, and as targets the token after each input."""
        check_not_negative(step=step)
        windows = range(step * self.batch_size, (step + 1) * self.batch_size)
        starts = [
            self._starts_of(epoch)[place]
            for epoch, place in (divmod(window, self.windows_per_epoch) for window in windows)
        ]
        span = np.array(starts)[:, None] + np.arange(self.context_length + 1)  # (batch, time + 1)
        rows = _tensor(self._tokens[span % len(self._tokens)])  # behind the last token comes the first
        return rows[:, :-1], rows[:, 1:]  # (batch, time) each

    def _starts_of(self, epoch: int) -> list[int]:
        """Where the windows of an epoch begin, in their order.

        Those of the last two epochs that were asked for are kept.
        """
        if epoch not in self._starts:
            rng = np.random.default_rng([self._seed, epoch])
            first = rng.integers(len(self._tokens))
            order = rng.permutation(self.windows_per_epoch)  # (windows,)
            while len(self._starts) > 1:
                del self._starts[next(iter(self._starts))]
            self._starts[epoch] = (first + self.context_length * order).tolist()
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

    The rows are read side by side from left to right. Row r holds the r-th of `batch_size` equal pieces
    of the stream. The last batch of an epoch is shorter where `context_length` does not divide the rows. So
    in an epoch every token is a target exactly once, except for the first of the stream and fewer than
    `batch_size` at its end. Nothing is random: order is the point.

    Parameters
    ----------
    tokens
        The stream, as for `LanguageModelBatches`.
    batch_size, context_length
        Rows; inputs of a row per batch.

    Raises
    ------
    ValueError
        If a size is not positive, the stream is not of whole numbers, or it has no input and target for each
        row.
    """

    def __init__(self, tokens: Integer[np.ndarray, " tokens"], batch_size: int, context_length: int) -> None:
        _check(tokens, batch_size, context_length)
        length = (len(tokens) - 1) // batch_size
        if length < 1:
            raise ValueError(
                f"the stream has {len(tokens)} tokens: {batch_size} rows need at least {batch_size + 1}; "
                "give more text or fewer rows"
            )
        self.batch_size = batch_size
        self.context_length = context_length
        self.batches_per_epoch = -(-length // context_length)  # rounded up
        self._inputs = tokens[: batch_size * length].reshape(batch_size, length)  # each row a piece
        self._targets = tokens[1 : batch_size * length + 1].reshape(batch_size, length)

    def batch(self, step: int) -> StreamBatch:
        """Batch number `step` (from 0 on)."""
        check_not_negative(step=step)
        place = step % self.batches_per_epoch
        window = slice(place * self.context_length, (place + 1) * self.context_length)
        return StreamBatch(_tensor(self._inputs[:, window]), _tensor(self._targets[:, window]), place == 0)


def _check(tokens: np.ndarray, batch_size: int, context_length: int) -> None:
    check_positive(batch_size=batch_size, context_length=context_length)
    if tokens.ndim != 1 or tokens.dtype.kind not in "iu":
        raise ValueError(
            f"the stream must be one row of whole numbers; got shape {tokens.shape} of {tokens.dtype}"
        )


def _tensor(tokens: np.ndarray) -> Int64[Tensor, "batch time"]:
    """A copy as int64: PyTorch cannot look up unsigned tokens, and a file on disk may be read-only."""
    return torch.from_numpy(np.array(tokens, dtype=np.int64))
