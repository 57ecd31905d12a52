r"""How good a density model is, and how sure one can be of it.

A model is scored by the nats it needs for a token, :math:`-\frac1T \log p(x)`; bits and perplexity are the
same number in other units (chapter 1). A figure measured on a sample comes with Student's interval for its
mean, and two models measured on the same examples are compared by the interval of their difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

__all__ = [
    "Interval",
    "bits",
    "bits_per_dim",
    "cross_entropy",
    "mean_and_interval",
    "paired_interval",
    "perplexity",
    "student_t_quantile",
]

Values = Sequence[float | int] | np.ndarray | torch.Tensor


@dataclass(frozen=True)
class Interval:
    """The mean of ``n`` values, and ``low..high`` that covers the true mean with this ``confidence``."""

    mean: float
    low: float
    high: float
    n: int
    confidence: float

    @property
    def half_width(self) -> float:
        """Half of the distance from ``low`` to ``high``."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def cross_entropy(log_probs: Values) -> float:
    r"""Mean nats a token, :math:`-\frac1N \sum_n \log p_n`, of an array of natural log-probabilities.

    Raises
    ------
    ValueError
        If there are no values.
    """
    values = _as_float64(log_probs)
    if values.size == 0:
        raise ValueError("the cross-entropy of no tokens is undefined; got an empty array")
    return float(-values.mean())


def bits(nats: float) -> float:
    r"""Nats as bits: :math:`\text{nats} / \ln 2`."""
    return nats / math.log(2)


def perplexity(nats: float) -> float:
    r""":math:`e^{\text{nats}}`: the size of a fair die that would be as hard to predict.

    ``nats`` is a mean for each token; the result is ``inf`` where the exponential is too large for a float.
    """
    try:
        return math.exp(nats)
    except OverflowError:
        return math.inf


def bits_per_dim(nats: float, n_dims: int) -> float:
    r"""Bits a dimension, :math:`\text{nats} / (n_\text{dims} \ln 2)`, of an example that costs ``nats``.

    Raises
    ------
    ValueError
        If ``n_dims`` is not positive.
    """
    if n_dims < 1:
        raise ValueError(f"n_dims counts the dimensions of an example and must be positive; got {n_dims}")
    return nats / (n_dims * math.log(2))


def mean_and_interval(values: Values, confidence: float = 0.95) -> Interval:
    r"""The mean and Student's interval, :math:`\bar v \pm t_{n-1}\, s / \sqrt n`.

    Raises
    ------
    ValueError
        If there are fewer than two values, one is not finite, or the confidence is not between 0 and 1.
    """
    array = _as_float64(values)
    if array.ndim != 1 or array.size < 2:
        raise ValueError(f"an interval needs a list of at least two values; got the shape {array.shape}")
    if not np.isfinite(array).all():
        index = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"an interval needs finite values; got {array[index]} at index {index}")
    mean = float(array.mean())
    standard_error = float(array.std(ddof=1)) / math.sqrt(array.size)
    half = student_t_quantile(confidence, array.size - 1) * standard_error
    return Interval(mean, mean - half, mean + half, array.size, confidence)


def paired_interval(a: Values, b: Values, confidence: float = 0.95) -> Interval:
    r"""The interval of the mean of :math:`a_i - b_i`, for two measurements of the same examples.

    Pairing removes what the examples have in common: an interval that excludes 0 says that the two differ,
    also where their own intervals overlap.

    Raises
    ------
    ValueError
        If ``a`` and ``b`` differ in length, or as for :func:`mean_and_interval`.
    """
    a, b = _as_float64(a), _as_float64(b)
    if a.shape != b.shape:
        raise ValueError(f"pairs need as many values on each side; got the shapes {a.shape} and {b.shape}")
    return mean_and_interval(a - b, confidence)


@lru_cache(maxsize=64)
def student_t_quantile(confidence: float, degrees: int) -> float:
    r"""The :math:`t` with :math:`P(|T| \le t) = \text{confidence}` for Student's distribution.

    Raises
    ------
    ValueError
        If the confidence is not strictly between 0 and 1, or ``degrees`` is not positive.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is a probability strictly between 0 and 1; got {confidence}")
    if degrees < 1:
        raise ValueError(f"Student's distribution needs at least one degree of freedom; got {degrees}")
    low, high = 0.0, 1.0
    while _student_t_within(high, degrees) < confidence:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if _student_t_within(middle, degrees) < confidence:
            low = middle
        else:
            high = middle
    return high


def _student_t_within(t: float, degrees: int) -> float:
    r""":math:`P(|T| \le t)`, by the finite sum for whole degrees of freedom.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan(t / math.sqrt(degrees))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = degrees % 2
    j = np.arange(2 + odd, degrees - 1, 2, dtype=np.float64)
    ratios = np.concatenate([[cosine if odd else 1.0], (j - 1) / j * cosine**2])
    series = float(np.cumprod(ratios).sum()) if degrees > 1 else 0.0
    return 2 / math.pi * (angle + sine * series) if odd else sine * series


def _as_float64(values: Values) -> np.ndarray:
    if isinstance(values, torch.Tensor):
        values = values.detach().cpu().double().numpy()
    return np.asarray(values, dtype=np.float64)
