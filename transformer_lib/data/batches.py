"""Batches for a language model, each computable from its number alone: a stopped run resumes where it was."""

from functools import lru_cache

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
        self._starts = lru_cache(maxsize=2)(self._draw_starts)

    def batch(self, step: int) -> tuple[Int[Tensor, "batch time"], Int[Tensor, "batch time"]]:
        """Batch number `step` (from 0 on): inputs, and as targets the token after each input."""
        if step < 0:
            raise ValueError(f"there is no step {step}: steps count from 0")
        windows = range(step * self.batch_size, (step + 1) * self.batch_size)
        starts = [
            self._starts(epoch)[place]
            for epoch, place in (divmod(window, self.windows_per_epoch) for window in windows)
        ]
        span = torch.tensor(starts)[:, None] + torch.arange(self.context_length + 1)
        rows = self._tokens[span]
        return rows[:, :-1], rows[:, 1:]

    def _draw_starts(self, epoch: int) -> list[int]:
        rng = np.random.default_rng([self._seed, epoch])
        spare = len(self._tokens) - 1 - self.windows_per_epoch * self.context_length
        offset = rng.integers(spare + 1)
        return (offset + self.context_length * rng.permutation(self.windows_per_epoch)).tolist()
