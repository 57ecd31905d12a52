r"""How good a density model is, how good a translation or a parse, and how sure one can be of it.

A model is scored by the nats that it needs per token, :math:`-\frac1T \log p(x)`; bits and perplexity are the
same number in other units (chapter 1). A figure measured on a sample comes with Student's interval for its
mean, and two models measured on the same examples are compared by the interval of their difference.

Output that has a right answer is compared with it: whole, by its n-grams (:func:`bleu`, chapter 13) or, if it
is a tree, by its brackets (:func:`bracket_f1`).
"""

import json
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from transformer_lib.checks import how_to_install

__all__ = [
    "Bleu",
    "BracketScore",
    "Interval",
    "bits",
    "bits_per_dim",
    "bleu",
    "bracket_f1",
    "cross_entropy",
    "exact_match",
    "mean_and_interval",
    "paired_interval",
    "perplexity",
    "student_t_quantile",
    "unpaired_interval",
]

Values = Sequence[float | int] | np.ndarray | torch.Tensor
Span = tuple[Hashable, int, int]


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


@dataclass(frozen=True)
class Bleu:
    """A BLEU ``score`` from 0 to 100, and sacreBLEU's ``signature``, which says how it was computed.

    ``half_width`` is that of the score's 95% interval over the pairs, where one was asked for.
    """

    score: float
    signature: str
    half_width: float | None = None

    def __str__(self) -> str:
        return f"{self.score:.2f} ({self.signature})"


@dataclass(frozen=True)
class BracketScore:
    """The share of the brackets found that are right, of the right ones that are found, and F1 of the two."""

    precision: float
    recall: float
    f1: float


def cross_entropy(log_probs: Values) -> float:
    r"""Mean nats per token, :math:`-\frac1N \sum_n \log p_n`, of an array of natural log-probabilities.

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
    r"""Bits per dimension, :math:`\text{nats} / (n_\text{dims} \ln 2)`, of an example that costs ``nats``.

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
    ModuleNotFoundError
        If SciPy is not installed.
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


def unpaired_interval(a: Values, b: Values, confidence: float = 0.95) -> Interval:
    r"""The interval of :math:`\bar a - \bar b`, for two groups of measurements that have nothing in common.

    Welch's: :math:`\bar a - \bar b \pm t_\nu \sqrt{s_a^2 / n_a + s_b^2 / n_b}`, for groups that may spread
    differently, with the degrees of freedom :math:`\nu` of Welch and Satterthwaite. Its ``n`` counts both.

    Raises
    ------
    ValueError
        As for :func:`mean_and_interval`.
    """
    groups = [mean_and_interval(group, confidence) for group in (a, b)]
    variances = [float(_as_float64(group).var(ddof=1)) / each.n for group, each in zip((a, b), groups)]
    total = sum(variances)
    mean = groups[0].mean - groups[1].mean
    if total == 0:
        return Interval(mean, mean, mean, groups[0].n + groups[1].n, confidence)
    degrees = total**2 / sum(v**2 / (each.n - 1) for v, each in zip(variances, groups))
    half = student_t_quantile(confidence, degrees) * math.sqrt(total)
    return Interval(mean, mean - half, mean + half, groups[0].n + groups[1].n, confidence)


def student_t_quantile(confidence: float, degrees: int | float) -> float:
    r"""The :math:`t` with :math:`P(|T| \le t) = \text{confidence}` for Student's distribution.

    Raises
    ------
    ValueError
        If the confidence is not strictly between 0 and 1, or ``degrees`` is not positive.
    ModuleNotFoundError
        If SciPy is not installed.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is a probability strictly between 0 and 1; got {confidence}")
    if degrees < 1:
        raise ValueError(f"Student's distribution needs at least one degree of freedom; got {degrees}")
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + confidence) / 2))


def exact_match(hypotheses: Sequence[Any], references: Sequence[Any]) -> float:
    """The share of hypotheses that equal their references, from 0 to 1; strings or lists of tokens.

    Raises
    ------
    ValueError
        If there are none, or not as many references.
    """
    _check_pairs(hypotheses, references)
    return sum(a == b for a, b in zip(hypotheses, references)) / len(hypotheses)


def bleu(hypotheses: Sequence[str], references: Sequence[str], n_resamples: int = 0) -> Bleu:
    r"""BLEU of a corpus by sacreBLEU's defaults, with one reference for each hypothesis.

    The brevity penalty times the geometric mean of the shares :math:`p_n` of n-grams that the reference has,
    in percent: :math:`100\,\min(1, e^{1 - r/c}) \, (p_1 p_2 p_3 p_4)^{1/4}`, with :math:`c` words in all
    hypotheses and :math:`r` in all references. Texts are given whole, not cut into tokens.

    Parameters
    ----------
    n_resamples
        From how many resamples of the pairs, with replacement and by sacreBLEU's fixed seed, the score's 95%
        interval is estimated; 0 for none.

    Raises
    ------
    ValueError
        If there are no texts, not as many references, or ``n_resamples`` is 1 or negative.
    ImportError
        If sacreBLEU is not installed.

    Source: Papineni et al. (2002); Post (2018)
    """
    _check_pairs(hypotheses, references)
    if n_resamples < 0 or n_resamples == 1:
        raise ValueError(f"n_resamples must be 0, for no interval, or at least 2; got {n_resamples}")
    try:
        from sacrebleu.metrics import BLEU
    except ImportError as error:
        raise ImportError(f"BLEU needs sacreBLEU: {how_to_install('train')}", name="sacrebleu") from error
    metric, texts = BLEU(), (list(hypotheses), [list(references)])
    score = metric.corpus_score(*texts).score
    signature = str(metric.get_signature())
    if n_resamples == 0:
        return Bleu(score, signature)
    resampled = metric.corpus_score(*texts, n_bootstrap=n_resamples)
    told = json.loads(resampled.format(width=4, signature=signature, is_json=True))
    return Bleu(score, signature, told.get("confidence_var", 0.0))


def bracket_f1(hypotheses: Sequence[Iterable[Span]], references: Sequence[Iterable[Span]]) -> BracketScore:
    r"""Labeled brackets of parses against those of the right trees, counted over the whole corpus.

    A bracket is right if the reference has the same label over the same words, once for each time that it has
    it: with :math:`m` right ones among :math:`h` found and :math:`r` to be found, the precision is
    :math:`m / h`, the recall :math:`m / r`, and :math:`F_1 = 2m / (h + r)`. Which brackets count, such as
    those around the sentence or a single word, is decided by leaving the others out on both sides.

    Parameters
    ----------
    hypotheses, references
        For each sentence its spans ``(label, start, end)``, in any order.

    Raises
    ------
    ValueError
        If there are no sentences, not as many references, no brackets at all, or a span is malformed.

    Source: Black et al. (1991)
    """
    _check_pairs(hypotheses, references)
    right = found = to_find = 0
    for number, (hypothesis, reference) in enumerate(zip(hypotheses, references)):
        ours, theirs = _count_spans(hypothesis, number), _count_spans(reference, number)
        right += (ours & theirs).total()
        found += ours.total()
        to_find += theirs.total()
    if found + to_find == 0:
        raise ValueError("F1 is undefined without brackets; neither side has any")
    return BracketScore(
        precision=right / found if found else 0.0,
        recall=right / to_find if to_find else 0.0,
        f1=2 * right / (found + to_find),
    )


def _count_spans(spans: Iterable[Span], number: int) -> Counter[Span]:
    counts: Counter[Span] = Counter()
    for span in spans:
        if not (isinstance(span, tuple) and len(span) == 3 and 0 <= span[1] <= span[2]):
            right = "a span is a tuple (label, start, end) with 0 <= start <= end"
            raise ValueError(f"{right}; sentence {number} has {span!r}")
        counts[span] += 1
    return counts


def _check_pairs(hypotheses: Sequence[Any], references: Sequence[Any]) -> None:
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise ValueError("hypotheses and references are lists with one item per example; got a single string")
    if len(hypotheses) != len(references):
        raise ValueError(
            f"each hypothesis needs one reference; got {len(hypotheses)} hypotheses and "
            f"{len(references)} references"
        )
    if len(hypotheses) == 0:
        raise ValueError("there is nothing to compare: no hypotheses and no references")


def _as_float64(values: Values) -> np.ndarray:
    if isinstance(values, torch.Tensor):
        values = values.detach().cpu().double().numpy()
    return np.asarray(values, dtype=np.float64)
