"""Gradients and differences through 64 blocks at initialization: an experiment of chapter 10."""

import math
from pathlib import Path
from typing import Any

from transformer_lib.experiments.chapter_10.wiring import gradient_norms
from transformer_lib.experiments.running.runner import Experiment

__all__ = ["EXPERIMENT", "GAINS", "POINTS", "measure"]

WIRINGS = ("branches alone", "norm", "residual", "post-norm", "pre-norm")
GAINS = (0.5, 1.0, 1.4)
POINTS = (0, 1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64)
LARGEST = 308.0
"""The logarithm of the largest number that float64 holds, roughly."""


def measure(seed: int, folder: Path | None = None, *, wiring: str, gain: float) -> dict[str, Any]:
    """Sizes below block 1, 2, ... 64, as logarithms to the base 10; what is not finite counts as 308."""
    found = gradient_norms(seed, wiring=wiring, n_layers=POINTS[-1], gain=gain)
    return {name: {str(n): _log10(values[n]) for n in POINTS} for name, values in found.items()}


def _log10(value: float) -> float:
    if not math.isfinite(value):
        return LARGEST
    return round(math.log10(value), 3) if value > 0 else -LARGEST


EXPERIMENT = Experiment(
    name="depth",
    chapter=10,
    description="gradients and differences of objects through 64 blocks at initialization",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"n_layers": POINTS[-1], "d_model": 64, "n_heads": 4, "objects": 32},
    data=lambda: {"name": "normal vectors"},
    conditions=tuple({"wiring": wiring, "gain": gain} for wiring in WIRINGS for gain in GAINS),
)
