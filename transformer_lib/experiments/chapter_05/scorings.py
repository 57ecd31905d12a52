"""Additive scores and dot products: what they learn and what they cost, over the width k (chapter 5).

What they learn is measured on the task of :mod:`~transformer_lib.experiments.chapter_06.recall_head`: eight
symbols are shown with an answer each, and one of them is asked for. What they cost is measured side by side,
in turns.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.chapter_06.recall_head import D_MODEL, RECALL_BATCH, RecallHead, recall
from transformer_lib.experiments.chapter_06.recall_head import data as recall_data
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.running.timing import take_turns, threads_of
from transformer_lib.recurrent.alignment import Alignment

__all__ = [
    "COSTS",
    "HEADS",
    "LEARNING",
    "RATES",
    "WIDTHS",
    "AdditiveHead",
    "alignment_case",
    "measure_costs",
    "measure_learning",
    "settings",
]

WIDTHS, RATES, STEPS = (8, 32, 128), (0.003, 0.01, 0.03), (200, 400)
HEADS = ("additive", "scaled dot product", "dot product")
COST_WIDTHS, COST_BATCH, COST_LENGTH, REPEATS = (16, 64, 256), 8, 64, 15


class AdditiveHead(RecallHead):
    r"""The recall task's head with the score :math:`v^\top \tanh(W_q^\top q + W_k^\top x_j)`."""

    def __init__(self, d_head: int, generator: torch.Generator | None = None) -> None:
        super().__init__(d_head, generator=generator)
        self.v = nn.Parameter(d_head**-0.5 * torch.randn(d_head, generator=generator))

    def forward(
        self, shown: Int[Tensor, "batch n"], answer: Int[Tensor, "batch n"], asked: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch n"]:
        """The score of each possible answer."""
        x = (self.symbols[shown] + self.answers[answer]) / 2**0.5
        asker = (self.symbols[asked] + self.asking)[:, None] / 2**0.5
        scores = torch.tanh(asker @ self.W_q + x @ self.W_k) @ self.v
        found = (scores.softmax(-1)[:, None] @ (x @ self.W_v))[:, 0]
        return found @ self.answers.T / D_MODEL**0.5


def settings(head: str, k: int) -> dict[str, Any]:
    """What makes one of the ``HEADS`` of width k, as arguments of ``recall``."""
    if head == "additive":
        return {"head_class": AdditiveHead, "d_head": k}
    return {"d_head": k, "scale": 1.0 if head == "dot product" else None}


def measure_learning(
    seed: int, folder: Path | None = None, *, head: str, k: int, rate: float
) -> dict[str, dict[str, float]]:
    """The loss and the share of right answers of one head."""
    return recall(seed, rate=rate, steps=STEPS, **settings(head, k))


def alignment_case(scoring: str, k: int, seed: int = 0) -> Callable[[], Tensor]:
    """What aligns 64 queries with 64 keys of width k, in a batch of 8, forward and backward."""
    generator = torch.Generator().manual_seed(seed)
    query, keys = torch.randn(2, COST_BATCH, COST_LENGTH, k, generator=generator).unbind()
    alignment = Alignment(k, k, scoring=scoring, generator=generator)

    def run() -> Tensor:
        context, _ = alignment(query.requires_grad_(), keys.requires_grad_())
        context.sum().backward()
        return context.detach()

    return run


def measure_costs(seed: int, folder: Path | None = None) -> dict[str, float]:
    """How many times as long additive attention takes as attention with a dot product, by width.

    Both project the keys by a matrix. The medians of 15 runs each, in turns, on one thread.
    """
    with threads_of(1):
        return {f"k = {k}": round(_ratio(k, seed), 2) for k in COST_WIDTHS}


def _ratio(k: int, seed: int) -> float:
    def prepared(scoring: str) -> Callable[[], Callable[[], Tensor]]:
        case = alignment_case(scoring, k, seed)
        return lambda: case

    seconds = take_turns({scoring: prepared(scoring) for scoring in ("additive", "general")}, REPEATS, seed)
    return seconds["additive"] / seconds["general"]


LEARNING = Experiment(
    name="scorings",
    chapter=5,
    description="additive scores and dot products with and without a scale, by width and learning rate",
    measure=measure_learning,
    seeds=(0, 1, 2),
    config={"optimizer": "Adam", "batch": RECALL_BATCH, "d_model": D_MODEL, "averaged_steps": 50},
    data=recall_data,
    conditions=tuple(
        {"head": head, "k": k, "rate": rate} for head in HEADS for k in WIDTHS for rate in RATES
    ),
)
COSTS = Experiment(
    name="score-costs",
    is_timed=True,
    chapter=5,
    description="time of additive attention in times of attention with a dot product, by width",
    measure=measure_costs,
    seeds=(0, 1, 2),
    config={"batch": COST_BATCH, "queries": COST_LENGTH, "keys": COST_LENGTH, "repeats": REPEATS},
    data=lambda: {"name": "normal numbers, drawn from the seed"},
)
