"""The hooks of a scheme of positions: they tell attention, which sees no order, where a token stands.

A scheme is one class, derived from :class:`Positions`. GPT-2's is here;
:mod:`~transformer_lib.transformer.positions` has the others, and
:data:`~transformer_lib.transformer.config.POSITIONS` lists all of them. Chapter 9 compares them.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.initialization import embedding

__all__ = ["HOOKS", "TABLE_STD", "LearnedPositions", "Positions", "Start", "table_rows"]

TABLE_STD = 0.02

Start: TypeAlias = int | Int[Tensor, "batch time"]
"""The position of the first input, which the others follow, or the position of each."""


class Positions(nn.Module):
    """No positions, and the four hooks of every scheme, which overrides those it needs.

    Positions count from 0; ``start`` says how many come before the first one given, as in a cache, or, as a
    tensor, where each of them stands: so several texts can share a row, or begin behind padding. A scheme
    can tell ``n_positions`` apart, and refuses more; ``None`` stands for any number. A scheme that is made
    for a ``d_model``, or for ``n_heads``, a ``d_head`` or a ``d_value``, has an attribute of that name.
    """

    n_positions: int | None = None

    gather: Callable[..., Tensor] | None = None
    """What takes the place of :func:`~transformer_lib.transformer.attention.attention`, called as that is."""

    def embed(self, x: Float[Tensor, "batch time d_model"], start: Start = 0) -> Tensor:
        """What enters the first block instead of ``x``, whose first row stands at ``start``."""
        self._check(start, x.shape[-2])
        return x

    def rotate(self, query: Tensor, key: Tensor, start: Start = 0) -> tuple[Tensor, Tensor]:
        """The queries and keys, (batch, heads, time, d_head), instead of these, which begin at ``start``."""
        return query, key

    def score_bias(
        self, query: Float[Tensor, "batch heads queries d_head"], n_keys: int, start: Start = 0
    ) -> Float[Tensor, "#batch heads queries keys"] | None:
        """What is added to the scaled scores of keys ``0..n_keys - 1``; the first query is at ``start``."""
        return None

    def check_use(self, hooks: Sequence[str], where: str, **sizes: int) -> None:
        """Refuse to be used ``where`` only ``hooks`` are called, or with other sizes than these.

        Raises
        ------
        ValueError
            If the scheme overrides other hooks and none of these, or is made for another size.
        """
        own = [hook for hook in HOOKS if getattr(type(self), hook) is not getattr(Positions, hook)]
        name = type(self).__name__
        if own and not set(own) & set(hooks):
            raise ValueError(f"{name} does nothing {where}: there only {' and '.join(hooks)} would be called")
        for size, wanted in sizes.items():
            given = getattr(self, size, wanted)
            if given != wanted:
                raise ValueError(f"{name} is made for {size}={given}; {where} it is {wanted}")

    def _check(self, start: Start, n: int) -> None:
        # What a tensor holds is checked by those who pass it on: here it could be on a GPU.
        if self.n_positions is not None and not isinstance(start, Tensor) and start + n > self.n_positions:
            raise ValueError(f"{type(self).__name__} has {self.n_positions} positions; got {start + n}")


HOOKS = ("embed", "rotate", "score_bias", "gather")


class LearnedPositions(Positions):
    r"""A learned vector per position, added: :math:`x_k + E_k`.

    Source: N12 with a learned table; Gehring et al. (2017)
    """

    def __init__(self, n_positions: int, d_model: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.n_positions, self.d_model = n_positions, d_model
        self.table = embedding(n_positions, d_model, std=TABLE_STD, generator=generator)

    def embed(self, x: Float[Tensor, "batch time d_model"], start: Start = 0) -> Tensor:
        """The sum of each input and its position's vector."""
        self._check(start, x.shape[-2])
        # (batch, time, d_model) + (time, d_model), or + (batch, time, d_model)
        return x + table_rows(self.table.weight, x, start)


def table_rows(
    table: Float[Tensor, "n_positions width"], x: Float[Tensor, "batch time d_model"], start: Start
) -> Float[Tensor, "*rows time width"]:
    """The rows of the positions at which ``x`` stands."""
    return table[start.long()] if isinstance(start, Tensor) else table[start : start + x.shape[-2]]
