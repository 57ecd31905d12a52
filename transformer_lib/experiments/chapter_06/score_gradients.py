"""What reaches a random query through the softmax, with and without the scale of the scores: chapter 6."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from transformer_lib.experiments.running.runner import Experiment

__all__ = ["EXPERIMENT", "WIDTHS", "gradient_norms", "measure"]

WIDTHS = (4, 16, 64, 256, 1024)
N_QUERIES, N_KEYS = 1000, 16


def gradient_norms(
    width: int, scaled: bool, rng: np.random.Generator, n_queries: int = N_QUERIES
) -> npt.NDArray[np.float64]:
    """The norm of the gradient that reaches each query; queries, keys and the gradient above are random."""
    q = rng.standard_normal((n_queries, width, 1))
    keys = rng.standard_normal((n_queries, N_KEYS, width))
    above = rng.standard_normal((n_queries, N_KEYS, 1))
    scale = width**-0.5 if scaled else 1.0
    scores = scale * keys @ q
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    at_scores = weights * (above - (weights * above).sum(axis=1, keepdims=True))
    at_query = scale * keys.transpose(0, 2, 1) @ at_scores
    return np.linalg.norm(at_query, axis=(1, 2))


def measure(seed: int, folder: Path | None = None, *, k: int, scaled: bool) -> dict[str, float]:
    """Mean and median of the norms over the queries, and their decimal logarithms."""
    norms = gradient_norms(k, scaled, np.random.default_rng(seed))
    found = {"mean": norms.mean(), "median": np.median(norms)}
    logs = {f"log {name}": np.log10(number) for name, number in found.items()}
    return {name: round(float(number), 6) for name, number in (found | logs).items()}


EXPERIMENT = Experiment(
    name="score-gradients",
    chapter=6,
    description="the gradient that reaches a random query, with and without the scale, by width",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"queries": N_QUERIES, "keys": N_KEYS},
    data=lambda: {"name": "normal numbers, drawn from the seed"},
    conditions=tuple({"k": k, "scaled": scaled} for k in WIDTHS for scaled in (True, False)),
)
