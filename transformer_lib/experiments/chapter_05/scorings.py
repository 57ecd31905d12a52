"""Additive scores and dot products of the same projections: what they cost and what they learn (chapter 5).

What they cost is measured on queries and keys alone, in turns, by the width k. What they learn is measured on
the translators of :mod:`~transformer_lib.experiments.chapter_05.bottleneck`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from transformer_lib.experiments.chapter_05 import bottleneck
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.running.timing import take_turns, threads_of

__all__ = ["COSTS", "LEARNING", "SCORES", "attend", "bytes_kept", "case", "measure_costs", "measure_learning"]

SCORES = ("additive", "dot")
WIDTHS, BATCH, LENGTH, REPEATS = (16, 64, 256), 8, 64, 45
RATES, STEPS = (0.0025, 0.005, 0.01, 0.02), (500, 1000)


def attend(
    score: str,
    query: Float[Tensor, "batch queries k"],
    keys: Float[Tensor, "batch keys k"],
    W: Float[Tensor, "k k"],
    U: Float[Tensor, "k k"],
    v: Float[Tensor, "k"],
) -> Float[Tensor, "batch queries k"]:
    r"""The contexts of projected queries and keys; ``score`` alone says how a pair is scored.

    It is :math:`v^\top \tanh(W q_j + U h_i)` or :math:`\langle W q_j, U h_i \rangle / \sqrt{k}`.

    Source: Bahdanau et al. (2015); Vaswani et al. (2017)
    """
    q, h = query @ W, keys @ U
    if score == "additive":
        pairs = torch.tanh(q[:, :, None] + h[:, None])
        scores = (pairs @ v[:, None])[..., 0]
    else:
        scores = q @ h.mT / len(v) ** 0.5
    return scores.softmax(dim=-1) @ keys


def case(score: str, k: int, seed: int = 0) -> Callable[[], Tensor]:
    """What attends from 64 queries to 64 keys of width k, in a batch of 8, forward and backward."""
    generator = torch.Generator().manual_seed(seed)
    query, keys = torch.randn(2, BATCH, LENGTH, k, generator=generator, dtype=torch.float32).unbind()
    W, U = (torch.randn(2, k, k, generator=generator, dtype=torch.float32) / k**0.5).unbind()
    leaves = [x.detach().clone().requires_grad_() for x in (query, keys, W, U, W[0])]

    def run() -> Tensor:
        contexts = attend(score, *leaves)
        contexts.sum().backward()
        return contexts.detach()

    return run


def bytes_kept(run: Callable[[], object]) -> int:
    """What a run keeps for its backward pass."""
    kept: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        run()
    return sum(kept.values())


def measure_costs(seed: int, folder: Path | None = None, *, k: int) -> dict[str, float]:
    """How many times the time and the memory of a dot product the additive score takes.

    The medians of 45 runs each, in turns, on one thread.
    """
    with threads_of(1):
        runs = {score: partial(case, score, k, seed) for score in SCORES}
        seconds = take_turns(runs, REPEATS, seed)
        kept = {score: bytes_kept(prepare()) for score, prepare in runs.items()}
    return {
        name: round(found["additive"] / found["dot"], 2)
        for name, found in (("time", seconds), ("memory", kept))
    }


def measure_learning(
    seed: int, folder: Path | None = None, *, score: str, rate: float
) -> dict[str, dict[str, float]]:
    """What translators that score in this way get right, by step."""
    return bottleneck.train(seed, rate=rate, steps=STEPS, attention=score)[1]


COSTS = Experiment(
    name="score-costs",
    chapter=5,
    description="time and memory of additive scores in times of those of dot products, by width",
    measure=measure_costs,
    seeds=(0, 1, 2),
    config={"batch": BATCH, "queries": LENGTH, "keys": LENGTH, "repeats": REPEATS, "projected": "both"},
    data=lambda: {"name": "normal numbers, drawn from the seed"},
    conditions=tuple({"k": k} for k in WIDTHS),
    is_timed=True,
)

LEARNING = Experiment(
    name="scorings",
    chapter=5,
    description="translators of number words whose attention scores by addition or by dot products",
    measure=measure_learning,
    seeds=(0, 1, 2),
    config={"optimizer": "Adam", "steps": STEPS, "batch": bottleneck.BATCH, "d_model": 64},
    data=bottleneck.data,
    conditions=tuple({"score": score, "rate": rate} for score in SCORES for rate in RATES),
)
