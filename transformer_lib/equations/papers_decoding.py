r"""How a text is chosen from a model's distributions, from the literature, as literally as the five sources.

Float64 NumPy, chapter 14: temperature, top-k and top-p, beam search and speculative decoding. The length
penalty is in `papers_training`.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float64

from transformer_lib.equations.papers_training import penalized_score

__all__ = ["beam_search", "nucleus", "speculative_step", "tempered", "top_k"]

Hypothesis = tuple[tuple[int, ...], float]


def tempered(z: Float64[np.ndarray, "V"], T: float) -> Float64[np.ndarray, "V"]:
    r"""The softmax of logits at temperature T: below 1 sharper, above 1 flatter.

    .. math::

        q_i = \frac{\exp(z_i / T)}{\sum_j \exp(z_j / T)}

    Source: Hinton et al. (2015), equation (1)
    """
    e = np.exp((z - z.max()) / T)
    return e / e.sum()


def top_k(p: Float64[np.ndarray, "V"], k: int) -> Float64[np.ndarray, "V"]:
    r"""The k most probable tokens, rescaled; among equals the lower tokens.

    .. math::

        q_i = \frac{p_i}{\sum_{j \in K} p_j} \text{ for } i \in K, \text{ else } 0

    Source: Fan et al. (2018)
    """
    kept = sorted(range(len(p)), key=lambda i: -p[i])[:k]
    q = np.zeros(len(p))
    for i in kept:
        q[i] = p[i] / sum(p[j] for j in kept)
    return q


def nucleus(p: Float64[np.ndarray, "V"], threshold: float) -> Float64[np.ndarray, "V"]:
    r"""The smallest set N of most probable tokens that reaches the threshold, rescaled.

    .. math::

        \sum_{i \in N} p_i \ge \text{threshold}, \qquad
        q_i = \frac{p_i}{\sum_{j \in N} p_j} \text{ for } i \in N, \text{ else } 0

    Source: Holtzman et al. (2020), section 3.1
    """
    kept: list[int] = []
    for i in sorted(range(len(p)), key=lambda i: -p[i]):
        if sum(p[j] for j in kept) >= threshold:
            break
        kept.append(i)
    q = np.zeros(len(p))
    for i in kept:
        q[i] = p[i] / sum(p[j] for j in kept)
    return q


def beam_search(
    log_p: Callable[[tuple[int, ...]], Float64[np.ndarray, "V"]],
    B: int,
    end: int,
    longest: int,
    alpha: float = 0.0,
) -> Hypothesis:
    r"""The best finished hypothesis that a beam of B partial ones meets, with its log-probability.

    ``log_p`` gives the log-probabilities of the token after a prefix. A hypothesis that has ended leaves the
    beam, and so does one of the greatest length.

    .. math::

        \log p(y_1 \dots y_t) = \log p(y_1 \dots y_{t-1}) + \log p(y_t \mid y_1 \dots y_{t-1})

    Source: Sutskever et al. (2014), section 3.2
    """
    beam: list[Hypothesis] = [((), 0.0)]
    finished: list[Hypothesis] = []
    for _ in range(longest):
        longer: list[Hypothesis] = []
        for Y, score in beam:
            longer += [((*Y, y), score + s) for y, s in enumerate(log_p(Y))]
        longer = sorted(longer, key=lambda h: -h[1])[:B]
        finished += [h for h in longer if h[0][-1] == end]
        beam = [h for h in longer if h[0][-1] != end]
    finished += beam
    scores = [penalized_score(s, len(Y), alpha) for Y, s in finished]
    return finished[int(np.argmax(scores))]


def speculative_step(
    target: Callable[[tuple[int, ...]], Float64[np.ndarray, "n V"]],
    draft: Callable[[tuple[int, ...]], Float64[np.ndarray, "V"]],
    prefix: tuple[int, ...],
    gamma: int,
    draw: Callable[[Float64[np.ndarray, "V"]], int],
) -> tuple[int, ...]:
    r"""The prefix with 1 to gamma + 1 tokens more, distributed as if the target had drawn each of them.

    ``target`` gives the distribution of the token after each beginning of a text, the empty one first;
    ``draft`` that of the token after the whole. ``draw`` draws from a distribution. A guess is kept with
    probability a; where it is not, its place is drawn from r.

    .. math::

        a = \min\Big(1, \frac{p(y)}{q(y)}\Big), \qquad
        r(y) = \frac{\max(p(y) - q(y), 0)}{\sum_{y'} \max(p(y') - q(y'), 0)}

    Source: Leviathan et al. (2023), algorithm 1
    """
    Y, q = prefix, []
    for _ in range(gamma):
        q.append(draft(Y))
        Y = (*Y, draw(q[-1]))
    p = target(Y)[len(prefix) :]
    for i in range(gamma):
        y = Y[len(prefix) + i]
        keep = min(1.0, p[i][y] / q[i][y])
        if draw(np.array([1.0 - keep, keep])) == 0:
            rest = np.maximum(p[i] - q[i], 0.0)
            return (*Y[: len(prefix) + i], draw(rest / rest.sum()))
    return (*Y, draw(p[gamma]))
