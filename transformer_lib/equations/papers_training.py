r"""How Transformers are trained and decoded, from the literature, as literally as the five sources.

Float64 NumPy: label smoothing (chapter 12), the learning rate with warm-up (chapter 13), the length penalty
of beam search (chapter 14), what a model costs (chapter 15), and a cache of few bits (chapter 17).
"""

import numpy as np
from jaxtyping import Float64, Int64

__all__ = [
    "absmax_codes",
    "forward_flops_per_token",
    "length_penalty",
    "non_embedding_parameters",
    "penalized_score",
    "smoothed_cross_entropy",
    "smoothed_labels",
    "warm_up_rate",
    "zero_bytes",
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


def non_embedding_parameters(d_model: int, d_attn: int, d_ff: int, n_layer: int) -> int:
    r"""The weights of the blocks' matrices; embeddings, biases and normalizations are not counted.

    .. math::

        N \approx 2\, d_\text{model}\, n_\text{layer}\, (2\, d_\text{attn} + d_\text{ff})

    Source: Kaplan et al. (2020), equation (2.1)
    """
    return 2 * d_model * n_layer * (2 * d_attn + d_ff)


def forward_flops_per_token(N: int, n_layer: int, n_ctx: int, d_attn: int) -> int:
    r"""Additions and multiplications of a forward pass for each token of a text of n_ctx tokens.

    .. math::

        C_\text{forward} \approx 2 N + 2\, n_\text{layer}\, n_\text{ctx}\, d_\text{attn}

    Source: Kaplan et al. (2020), equation (2.2)
    """
    return 2 * N + 2 * n_layer * n_ctx * d_attn


def zero_bytes(Psi: int, N_d: int, K: int, stage: int) -> float:
    r"""Bytes per worker of the states of Psi parameters, with weights and gradients of two bytes.

    Stage 0 shards nothing, and stage 3 everything: K bytes of the optimizer's states, then the gradients,
    then the weights.

    .. math::

        (2 + 2 + K)\Psi, \quad (2 + 2)\Psi + \frac{K \Psi}{N_d}, \quad
        2 \Psi + \frac{(2 + K) \Psi}{N_d}, \quad \frac{(2 + 2 + K) \Psi}{N_d}

    Source: Rajbhandari et al. (2020), figure 1
    """
    weights, gradients, states = 2.0 * Psi, 2.0 * Psi, float(K * Psi)
    if stage >= 1:
        states = states / N_d
    if stage >= 2:
        gradients = gradients / N_d
    if stage >= 3:
        weights = weights / N_d
    return weights + gradients + states


def absmax_codes(x: Float64[np.ndarray, "d"], bits: int) -> tuple[Int64[np.ndarray, "d"], float]:
    r"""A vector as whole numbers of a few bits, and the size of one step.

    .. math::

        s = \frac{\max_i |x_i|}{2^{b-1} - 1}, \qquad c_i = \mathrm{round}(x_i / s), \qquad
        x_i \approx s\, c_i

    A vector of zeros has codes 0 and a step of 0.

    Source: Dettmers et al. (2022), section 2.1
    """
    most = 2 ** (bits - 1) - 1
    s = float(np.abs(x).max()) / most
    if s == 0:
        return np.zeros(len(x), dtype=np.int64), 0.0
    return np.round(x / s).astype(np.int64), s
