r"""Autoregressive factorization, NADE and the RNN as on Thickstun's lecture slides.

These are S1, S2, S3, S4, S5, S6, S19, S20 and S21. Chapters 1, 2, 4 and 8 call these functions live.
Everything is float64 NumPy with the slides' indices, counted from 0: the slides' :math:`x_{<t}` is
``x[:t]``. A sequence is either a tuple of tokens or, where the slides multiply it by a matrix, an array of
p rows of d features (one-hot rows for tokens). The slides' block and LayerNorm (S7, S8, S9, S10, S11, S12,
S13) are the note's, line for line; they live in `note` and have the same names here.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float64, Int

from .note import (
    BlockParameters,
    attention_weights,
    combined_heads,
    feed_forward,
    layer_norm,
    queries_keys_values,
    residual_layer_norm,
    softmax,
    transformer,
    transformer_block,
)

__all__ = [
    "BlockParameters",
    "Conditional",
    "attention_weights",
    "categorical",
    "chain_rule_log_prob",
    "combined_heads",
    "feed_forward",
    "finite_history_log_prob",
    "layer_norm",
    "masked_prefix",
    "nade_hidden",
    "nade_log_prob",
    "nade_logits",
    "one_hot",
    "padded_history_log_prob",
    "prefix_mask",
    "queries_keys_values",
    "residual_layer_norm",
    "rnn_initial_state",
    "rnn_output",
    "rnn_state",
    "rnn_states",
    "sigmoid",
    "transformer",
    "transformer_block",
]

Conditional = Callable[[int, tuple[int, ...]], float]
"""``conditional(x_t, history)`` is the probability of the token ``x_t`` after the tokens of ``history``."""


def chain_rule_log_prob(conditional: Conditional, x: tuple[int, ...]) -> float:
    r"""Log-probability of a sequence in nats, from its conditionals.

    .. math::

        p(\mathbf{x}) = \prod_{t=1}^T p(x_t \mid x_{<t}), \qquad
        \log p(\mathbf{x}) = \sum_{t=1}^T \log p(x_t \mid x_{<t})

    An empty sequence has log-probability 0, an impossible one minus infinity.

    Source: S1
    """
    log_prob = 0.0
    for t in range(len(x)):
        log_prob += _log(conditional(x[t], x[:t]))
    return log_prob


def finite_history_log_prob(conditional: Conditional, x: tuple[int, ...], p: int) -> float:
    r"""Log-probability in nats under an estimator that sees at most the p previous tokens.

    .. math::

        \hat p(\mathbf{x}) = \prod_{t=1}^{p} \hat p(x_t \mid x_{<t})
        \prod_{t=p+1}^{T} \hat p(x_t \mid x_{t-p}, \dots, x_{t-1})

    ``conditional`` is given histories of 0, 1, ..., p tokens: it has to know the marginals of the first p
    tokens too (the slides' Option B).

    Source: S2
    """
    log_prob = 0.0
    for t in range(len(x)):
        history = x[:t] if t < p else x[t - p : t]
        log_prob += _log(conditional(x[t], history))
    return log_prob


def padded_history_log_prob(conditional: Conditional, x: tuple[int, ...], p: int, start: int) -> float:
    r"""Log-probability in nats under an estimator that always sees p tokens (the slides' Option A).

    The sequence is padded in front with p start tokens, so that the first histories are filled up with them.

    Source: S2
    """
    padded = (start,) * p + x
    log_prob = 0.0
    for t in range(len(x)):
        history = padded[t : t + p]
        log_prob += _log(conditional(x[t], history))
    return log_prob


def one_hot(tokens: Int[np.ndarray, "p"], d: int) -> Float64[np.ndarray, "p d"]:
    r"""Row t is the standard basis vector :math:`\mathbf{e}_{x_t} \in \mathbb{R}^d` of token t.

    The slides write :math:`\mathbf{V}_s x_s` with :math:`\mathbf{V}_s \in \mathbb{R}^{k \times d}`, which
    reads a token as its one-hot vector.

    Source: S3
    """
    p = len(tokens)
    x = np.zeros((p, d))
    for t in range(p):
        x[t, tokens[t]] = 1.0
    return x


def sigmoid(a: Float64[np.ndarray, "k"]) -> Float64[np.ndarray, "k"]:
    r"""The logistic function of each entry, :math:`1 / (1 + e^{-a})`.

    Source: S3
    """
    return 1.0 / (1.0 + np.exp(-a))


def nade_hidden(
    x: Float64[np.ndarray, "p d"],
    V: Float64[np.ndarray, "p k d"],
    c: Float64[np.ndarray, "p k"],
) -> Float64[np.ndarray, "p k"]:
    r"""NADE's hidden units: those of step t read the tokens before t.

    .. math::

        \mathbf{h}_t = \mathrm{sigmoid}\Big(\mathbf{c}_t + \sum_{s<t} \mathbf{V}_s x_s\Big)

    The classic NADE has one c for all steps, the slides have one per step.

    Source: S3
    """
    p, k, _ = V.shape
    h = np.zeros((p, k))
    for t in range(p):
        total = c[t].copy()
        for s in range(t):
            total += V[s] @ x[s]
        h[t] = sigmoid(total)
    return h


def nade_logits(
    h: Float64[np.ndarray, "p k"],
    W: Float64[np.ndarray, "p d k"],
    b: Float64[np.ndarray, "p d"],
) -> Float64[np.ndarray, "p d"]:
    r"""NADE's scores of the d values of token t.

    .. math::

        f_t(\mathbf{x}_{<t}) = \mathbf{b}_t + \sum_{s \le t} \mathbf{W}_s \mathbf{h}_s

    The sum over hidden layers up to t is the slides' own; the classic NADE reads the layer of step t alone.

    Source: S4
    """
    p, d = b.shape
    f = np.zeros((p, d))
    for t in range(p):
        f[t] = b[t]
        for s in range(t + 1):
            f[t] += W[s] @ h[s]
    return f


def categorical(f_t: Float64[np.ndarray, "d"]) -> Float64[np.ndarray, "d"]:
    r"""The distribution of token t given the earlier ones, from its scores.

    .. math::

        p_t(x_t \mid x_1, \dots, x_{t-1})
        = \mathrm{Categorical}(\mathrm{softmax}(f_t(x_1, \dots, x_{t-1})))

    Source: S5
    """
    return softmax(f_t)


def nade_log_prob(
    tokens: Int[np.ndarray, "p"],
    V: Float64[np.ndarray, "p k d"],
    c: Float64[np.ndarray, "p k"],
    W: Float64[np.ndarray, "p d k"],
    b: Float64[np.ndarray, "p d"],
) -> float:
    r"""Log-probability of p tokens in nats under the slides' NADE.

    .. math::

        \log p(\mathbf{x}) = \sum_{t=1}^p \log p_t(x_t \mid x_1, \dots, x_{t-1})

    Source: S1, S3, S4, S5
    """
    p, d = b.shape
    x = one_hot(tokens, d)
    f = nade_logits(nade_hidden(x, V, c), W, b)
    log_prob = 0.0
    for t in range(p):
        log_prob += _log(categorical(f[t])[tokens[t]])
    return log_prob


def prefix_mask(t: int, p: int) -> Float64[np.ndarray, "p"]:
    r"""The mask :math:`\mathbf{m}_t`: 1 for the positions before t, 0 for t and all later ones.

    Source: S6
    """
    m_t = np.zeros(p)
    for s in range(p):
        m_t[s] = 1.0 if s < t else 0.0
    return m_t


def masked_prefix(
    f: Callable[[Float64[np.ndarray, "p d"]], Float64[np.ndarray, "p e"]],
    x: Float64[np.ndarray, "p d"],
    t: int,
) -> Float64[np.ndarray, "p e"]:
    r"""The function of a prefix that a function f of whole sequences defines.

    .. math::

        f_t(x_1, \dots, x_{t-1}) = f(\mathbf{m}_t \odot \mathbf{x})

    All p rows of :math:`f(\mathbf{m}_t \odot \mathbf{x})` are returned: the slides need one vector and do not
    say which row it is. An f that attends still attends to the zeros that replace the later positions.

    Source: S6
    """
    p, d = x.shape
    m_t = prefix_mask(t, p)
    masked = np.zeros((p, d))
    for s in range(p):
        masked[s] = m_t[s] * x[s]
    return f(masked)


def rnn_initial_state(W_init: Float64[np.ndarray, "k"]) -> Float64[np.ndarray, "k"]:
    r"""The running state before any token is read: a learned vector.

    .. math::

        \mathbf{h}_0 = \mathbf{W}_\text{init}

    Source: S19
    """
    return W_init.copy()


def rnn_state(
    h_previous: Float64[np.ndarray, "k"],
    x_t: Float64[np.ndarray, "d"],
    c: Float64[np.ndarray, "k"],
    W_h: Float64[np.ndarray, "k k"],
    W_x: Float64[np.ndarray, "k d"],
) -> Float64[np.ndarray, "k"]:
    r"""The running state after one more token.

    .. math::

        \mathbf{h}_t
        = \mathrm{sigmoid}(\mathbf{c} + \mathbf{W}_h \mathbf{h}_{t-1} + \mathbf{W}_x \mathbf{x}_t)

    Source: S20
    """
    return sigmoid(c + W_h @ h_previous + W_x @ x_t)


def rnn_states(
    x: Float64[np.ndarray, "p d"],
    W_init: Float64[np.ndarray, "k"],
    c: Float64[np.ndarray, "k"],
    W_h: Float64[np.ndarray, "k k"],
    W_x: Float64[np.ndarray, "k d"],
) -> Float64[np.ndarray, "p_plus_1 k"]:
    r"""All running states: row 0 is :math:`\mathbf{h}_0`, row t the state after t tokens.

    Source: S19, S20
    """
    p = len(x)
    h = np.zeros((p + 1, len(c)))
    h[0] = rnn_initial_state(W_init)
    for t in range(1, p + 1):
        h[t] = rnn_state(h[t - 1], x[t - 1], c, W_h, W_x)
    return h


def rnn_output(
    h_previous: Float64[np.ndarray, "k"],
    W_o: Float64[np.ndarray, "d k"],
    b: Float64[np.ndarray, "d"],
) -> Float64[np.ndarray, "d"]:
    r"""The scores of the d values of token t, from the running state after the tokens before it.

    .. math::

        f_t(\mathbf{x}_{<t}) = \mathbf{b} + \mathbf{W}_o \mathbf{h}_{t-1}

    The formula is cut off after its left side in our copy of the slides, and is reconstructed here from what
    stands around it: :math:`\mathbf{W}_o \in \mathbb{R}^{d \times k}` and :math:`\mathbf{b} \in \mathbb{R}^d`
    leave one affine map, and since :math:`\mathbf{h}_t` has read :math:`x_t`, a function of
    :math:`\mathbf{x}_{<t}` can read no later state than :math:`\mathbf{h}_{t-1}`.

    Source: S21
    """
    return b + W_o @ h_previous


def _log(probability: float) -> float:
    return float(np.log(probability)) if probability > 0.0 else -np.inf
