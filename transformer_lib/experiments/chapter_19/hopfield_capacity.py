"""How many random patterns a modern Hopfield network gives back, by width and temperature: chapter 19.

Patterns are vectors of d signs. A quarter of the signs of one is flipped, and one update is applied. It comes
back if it gets more than half of the weight, because then every sign of the result is right.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float64, Int64

from transformer_lib.experiments.running.runner import Experiment

__all__ = [
    "BETAS",
    "EXPERIMENT",
    "FLIPPED",
    "N_PROBES",
    "WIDTHS",
    "classical_half",
    "failing_sizes",
    "measure",
    "nearest_half",
    "threshold",
]

WIDTHS = (16, 24, 32, 40, 48, 56, 64)
BETAS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 2.0)
FLIPPED, N_PROBES, CHUNK = 0.25, 200, 25
SPARE = 2.0
"""So many bits beyond the expected capacity are stored at most.

:meta hide-value:
"""


def nearest_half(d: int) -> float:
    r"""The size of a memory in which half the patterns are still the nearest to what is left of them.

    Another pattern has at least as large a product with probability :math:`P`, by the binomial distribution.
    Among :math:`N` none has with probability :math:`(1 - P)^{N-1}`, which is a half at the size returned.
    """
    n_right = d - round(FLIPPED * d)
    tail = sum(math.comb(d, n) for n in range(n_right, d + 1)) / 2**d
    return 1 + math.log(0.5) / math.log1p(-tail)


def threshold(beta: float, flipped: float = FLIPPED) -> float:
    r"""The bits per dimension up to which patterns come back, as the width grows without limit.

    .. math::
        \frac{\beta m - \ln\cosh\beta}{\ln 2} \quad\text{for } \tanh\beta \le m, \qquad m = 1 - 2\rho,

    for a share :math:`\rho` of flipped signs. From :math:`\tanh\beta = m` on it is the capacity
    :math:`1 - H_2(\rho)` of a channel that flips a share :math:`\rho` of its bits, which no memory exceeds.
    """
    m = 1 - 2 * flipped
    beta = min(beta, math.atanh(m))
    return (beta * m - math.log(math.cosh(beta))) / math.log(2)


def failing_sizes(
    d: int, n_stored: int, betas: tuple[float, ...], rng: np.random.Generator
) -> dict[float, Int64[np.ndarray, "probes"]]:
    """For each temperature and probe the least size of the memory in which the pattern does not come back.

    The memory of a probe is its own pattern and others, taken in one order. A pattern that comes back from
    all ``n_stored`` has ``n_stored + 1``.
    """
    others = rng.choice(np.array([-1, 1], np.float32), size=(n_stored - 1, d))
    n_flipped = round(FLIPPED * d)
    own_product = d - 2 * n_flipped
    sizes: dict[float, list[int]] = {beta: [] for beta in betas}
    for _ in range(N_PROBES // CHUNK):
        own = rng.choice(np.array([-1, 1], np.float32), size=(CHUNK, d))
        flip = rng.random((CHUNK, d)).argsort(axis=1) < n_flipped
        products = (np.where(flip, -own, own) @ others.T).astype(np.float64) - own_product
        for beta in betas:
            against = np.cumsum(np.exp(beta * products), axis=1)
            fails = against >= 1.0  # the others have half of the weight, or more
            first = np.where(fails[:, -1], fails.argmax(axis=1) + 2, n_stored + 1)
            sizes[beta] += first.tolist()
    return {beta: np.array(found) for beta, found in sizes.items()}


def classical_half(d: int, rng: np.random.Generator, n_networks: int = 10, n_steps: int = 20) -> int:
    """How many patterns Hopfield's network of 1982 holds so that half come back, 95 % of their signs right.

    It starts from as many flipped signs, and updates all signs at once, ``n_steps`` times.
    """
    n_flipped = round(FLIPPED * d)
    n = 1
    while True:
        back = []
        for _ in range(n_networks):
            patterns = rng.choice(np.array([-1.0, 1.0]), size=(n, d))
            weights = patterns.T @ patterns - n * np.eye(d)
            flip = rng.random((n, d)).argsort(axis=1) < n_flipped
            state = np.where(flip, -patterns, patterns)
            for _ in range(n_steps):
                field = state @ weights
                state = np.where(field == 0, state, np.sign(field))
            back.append(((state == patterns).mean(axis=1) >= 0.95).mean())
        if np.mean(back) < 0.5:
            return n - 1
        n += 1


def measure(seed: int, folder: Path | None = None, *, d: int) -> dict[str, Any]:
    """Bits of the size at which half the patterns come back, by temperature, and the shares at some sizes."""
    rng = np.random.default_rng([seed, d])
    n_stored = 2 ** math.ceil(math.log2(nearest_half(d)) + SPARE)
    sizes = failing_sizes(d, n_stored, BETAS, rng)
    powers = range(1, int(math.log2(n_stored)) + 1)
    return {
        "bits": {str(beta): _median_bits(found) for beta, found in sizes.items()},
        "shares": {
            str(beta): {str(2**k): round(float((found > 2**k).mean()), 4) for k in powers}
            for beta, found in sizes.items()
        },
        "classical": round(math.log2(max(classical_half(d, rng), 1)), 4),
    }


def _median_bits(sizes: Float64[np.ndarray, "probes"] | Int64[np.ndarray, "probes"]) -> float:
    return round(float(np.log2(np.median(sizes) - 1)), 4)


EXPERIMENT = Experiment(
    name="hopfield-capacity",
    chapter=19,
    description="how many random patterns come back from a quarter of flipped signs in one update",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"flipped": FLIPPED, "probes": N_PROBES, "betas": BETAS},
    data=lambda: {"name": "random signs, drawn from the seed"},
    conditions=tuple({"d": d} for d in WIDTHS),
)
