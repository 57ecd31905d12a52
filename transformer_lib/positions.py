r"""Where a token stands: what tells it to attention, which does not see order.

A scheme is one class, derived from :class:`Positions`, and one row of :data:`POSITIONS`, which says where it
acts. GPT-2's is here; :mod:`~transformer_lib.position_schemes` has the others. Chapter 9 compares them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lib.attention import Positions
from transformer_lib.initialization import embedding
from transformer_lib.position_schemes import (
    TABLE_STD,
    AlibiPositions,
    GehringPositions,
    JointPositions,
    OneHotPositions,
    RelativePositions,
    RelativeValuesPositions,
    RotaryPositions,
    SinusoidalPositions,
)
from transformer_lib.validation import check_choice

__all__ = ["PLACES", "POSITIONS", "LearnedPositions", "Scheme"]


class LearnedPositions(Positions):
    r"""A learned vector per position, added: :math:`x_k + E_k`.

    Source: N12 with a learned table; Gehring et al. (2017)
    """

    def __init__(self, n_positions: int, d_model: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.n_positions, self.d_model = n_positions, d_model
        self.table = embedding(n_positions, d_model, std=TABLE_STD, generator=generator)

    def embed(self, x: Float[Tensor, "batch time d_model"], start: int = 0) -> Tensor:
        """The sum of each input and its position's vector."""
        self._check(start + x.shape[-2])
        return x + self.table.weight[start : start + x.shape[-2]]


PLACES = ("input", "query and key", "scores", "scores and values")
"""Where a scheme acts: on what enters the first block, or within every block's attention."""


@dataclass(frozen=True)
class Scheme:
    """One row of :data:`POSITIONS`: one of :data:`PLACES`, else a ``ValueError``, and what makes the module.

    It is made from a :class:`~transformer_lib.config.TransformerConfig` and the source of initial weights.
    """

    acts_on: str
    build: Callable[[Any, torch.Generator | None], Positions]

    def __post_init__(self) -> None:
        check_choice("acts_on", self.acts_on, PLACES)


POSITIONS = {
    "none": Scheme("input", lambda c, g: Positions()),
    "one-hot": Scheme("input", lambda c, g: OneHotPositions(c.context_length, c.d_model, generator=g)),
    "joint": Scheme("input", lambda c, g: JointPositions(c.context_length, c.d_model, generator=g)),
    "gehring": Scheme("input", lambda c, g: GehringPositions(c.context_length, c.d_model, generator=g)),
    "sinusoidal": Scheme("input", lambda c, g: SinusoidalPositions(c.context_length, c.d_model)),
    "learned": Scheme("input", lambda c, g: LearnedPositions(c.context_length, c.d_model, generator=g)),
    "relative": Scheme(
        "scores", lambda c, g: RelativePositions(c.n_heads, c.head_width, c.context_length, generator=g)
    ),
    "relative-values": Scheme(
        "scores and values",
        lambda c, g: RelativeValuesPositions(c.n_heads, c.head_width, c.context_length, generator=g),
    ),
    "rotary": Scheme(
        "query and key", lambda c, g: RotaryPositions(c.context_length, c.head_width, c.rotary_base)
    ),
    "alibi": Scheme("scores", lambda c, g: AlibiPositions(c.n_heads)),
}
"""All schemes by name: where each acts, and how it is built."""
