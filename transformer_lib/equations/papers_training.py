r"""How Transformers are trained and decoded, from the literature, as literally as the five sources.

Float64 NumPy: label smoothing (chapter 12), the learning rate with warm-up (chapter 13), the length penalty
of beam search (chapter 14).
"""

import numpy as np
from jaxtyping import Float64

__all__ = [
    "length_penalty",
    "penalized_score",
    "smoothed_cross_entropy",
    "smoothed_labels",
    "warm_up_rate",
]


def smoothed_labels(y: int, K: int, epsilon: float) -> Float64[np.ndarray, "K"]:
    r"""The distribution that label smoothing puts in place of the right label y: some of it goes to all K.

    .. math::

        q'(k) = (1 - \epsilon)\, \delta_{k,y} + \frac{\epsilon}{K}

    Source: Szegedy et al. (2016), section 7
    """
    q = np.zeros(K)
    for k in range(K):
        delta = 1.0 if k == y else 0.0
        q[k] = (1.0 - epsilon) * delta + epsilon / K
    return q


def smoothed_cross_entropy(y: int, p: Float64[np.ndarray, "K"], epsilon: float) -> float:
    r"""The loss in nats of predicted probabilities p against the smoothed label.

    .. math::

        H(q', p) = -\sum_{k=1}^K q'(k) \log p(k)

    Source: Szegedy et al. (2016), section 7
    """
    q = smoothed_labels(y, len(p), epsilon)
    return float(-sum(q[k] * np.log(p[k]) for k in range(len(p))))


def warm_up_rate(step: int, d_model: int, warmup_steps: int) -> float:
    r"""The learning rate at a step, counted from 1: it rises in a line, then falls as the root of the step.

    .. math::

        lrate = d_\text{model}^{-0.5} \cdot \min(step^{-0.5},\; step \cdot warmup\_steps^{-1.5})

    Source: Vaswani et al. (2017), equation (3)
    """
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)


def length_penalty(length: int, alpha: float) -> float:
    r"""What the log-probability of a translation is divided by, so that long ones are not put behind.

    .. math::

        lp(Y) = \frac{(5 + |Y|)^\alpha}{(5 + 1)^\alpha}

    Source: Wu et al. (2016), equation (14)
    """
    return (5 + length) ** alpha / (5 + 1) ** alpha


def penalized_score(log_prob: float, length: int, alpha: float) -> float:
    r"""The score by which finished hypotheses are compared, without the paper's coverage penalty.

    .. math::

        s(Y, X) = \frac{\log P(Y \mid X)}{lp(Y)}

    Source: Wu et al. (2016), equation (14)
    """
    return log_prob / length_penalty(length, alpha)
