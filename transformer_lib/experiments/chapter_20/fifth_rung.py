"""The law that chapter 15 could not test: a fifth budget, twice its largest one.

The law is fitted to the four budgets of the record ``model-sizes``; the models here are trained in the same
way with twice the largest budget.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_lib.experiments.chapter_15 import model_sizes
from transformer_lib.experiments.running.runner import Experiment, Tuned

__all__ = ["BUDGET", "EXPERIMENT", "RATES", "WIDTHS", "Law", "fit", "least"]

BUDGET = 2 * max(model_sizes.BUDGETS)
WIDTHS = (16, 32, 64)
RATES = (0.3, 0.6, 1.2, 2.4)
"""Peak rates times the width; one more than chapter 15's, whose best often lay at the upper edge."""


@dataclass(frozen=True)
class Law:
    r"""The power law :math:`e + b\,C^{-c}`."""

    e: float
    b: float
    c: float

    def __call__(self, budget: float) -> float:
        """Nats per token at a budget."""
        return self.e + self.b * budget**-self.c


def least(runs: Iterable[Mapping[str, Any]], seed: int | None = None) -> dict[float, float]:
    """The least mean loss of any width at each budget, over the seeds of these runs or at one of them."""
    losses: dict[float, dict[int, list[float]]] = {}
    for run in runs:
        if seed is None or run["seed"] == seed:
            where = run["settings"]
            by_width = losses.setdefault(where["budget"], {})
            by_width.setdefault(where["d_model"], []).append(run["result"]["nats"])
    return {
        budget: min(float(np.mean(seeds)) for seeds in by_width.values())
        for budget, by_width in losses.items()
    }


def fit(losses: Mapping[float, float], floor: float) -> Law:
    """The law with this floor, by least squares in logarithms.

    Raises
    ------
    ValueError
        If a loss is not above the floor, or there are fewer than two.
    """
    if len(losses) < 2 or min(losses.values()) <= floor:
        raise ValueError(f"a law needs two losses above its floor {floor:.4f}; got {dict(losses)}")
    above = np.log(np.array(list(losses.values())) - floor)
    slope, height = np.polyfit(np.log(np.array(list(losses))), above, 1)
    return Law(floor, float(np.exp(height)), float(-slope))


EXPERIMENT = Experiment(
    name="fifth-rung",
    chapter=20,
    description="language models of three widths at twice the largest budget of chapter 15",
    measure=model_sizes.measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "AdamW, betas 0.9 and 0.95, no decay",
        "schedule": "a tenth of the steps to warm up, then linear to 0",
        "tokens_per_step": model_sizes.TOKENS,
        "n_layers": 2,
        "context_length": model_sizes.PLACES,
        "budget": BUDGET,
        "widths": WIDTHS,
        "rates_times_width": RATES,
    },
    data=model_sizes.data,
    conditions=tuple(
        {"budget": BUDGET, "d_model": width, "n_layers": 2, "rate_times_width": Tuned(RATES)}
        for width in WIDTHS
    ),
)
