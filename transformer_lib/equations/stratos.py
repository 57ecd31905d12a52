r"""The layers that Stratos' model is made of, K12, K13, K14, K15, K16, K17 (his appendix A).

Chapters 6, 7, 8, 10 and 13 call these functions live. Everything is float64 NumPy with his indices, counted
from 0. His matrices multiply from the left, :math:`W_{h,Q} x_i`, so they are the transposes of the note's:
(d_head, d_model) where the note has (d, k). His sizes 64, 512, 2048 and 8 are read off the arrays. Attenders
:math:`x_1 \dots x_n` ask, attendees :math:`y_1 \dots y_m` answer; self-attention has ``y = x``. The model
itself, K1, K2, K3, K4, K5, K6, K7, K8, K9, K10, K11, is in `stratos_model`.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float64

from .note import mean_and_deviation, relu, softmax

__all__ = [
    "AttentionParameters",
    "FatReluParameters",
    "NormParameters",
    "attention_scores",
    "combine_values",
    "fat_relu",
    "layer_normalization",
    "multi_head_attention",
    "project",
    "sum_heads",
]


class AttentionParameters(NamedTuple):
    """The matrices of one Multi-Head-Attention.

    Source: K12, K15
    """

    W_Q: Float64[np.ndarray, "H d_head d_model"]
    W_K: Float64[np.ndarray, "H d_head d_model"]
    W_V: Float64[np.ndarray, "H d_head d_model"]
    U: Float64[np.ndarray, "H d_model d_head"]


class NormParameters(NamedTuple):
    """Gain and bias of one Layer-Normalization.

    Source: K16
    """

    g: Float64[np.ndarray, "d_model"]
    b: Float64[np.ndarray, "d_model"]


class FatReluParameters(NamedTuple):
    """Matrices and biases of one Fat-ReLU.

    Source: K17
    """

    F_1: Float64[np.ndarray, "d_ff d_model"]
    b_1: Float64[np.ndarray, "d_ff"]
    F_2: Float64[np.ndarray, "d_model d_ff"]
    b_2: Float64[np.ndarray, "d_model"]


def project(
    x: Float64[np.ndarray, "n d_model"], W: Float64[np.ndarray, "H d_head d_model"]
) -> Float64[np.ndarray, "H n d_head"]:
    r"""Step 1: every vector's query, key or value in every head.

    .. math::

        x_i^{(h,q)} = W_{h,Q}\, x_i, \qquad y_j^{(h,k)} = W_{h,K}\, y_j, \qquad y_j^{(h,v)} = W_{h,V}\, y_j

    Stratos also computes the attenders' keys and values and the attendees' queries, and never uses them.

    Source: K12
    """
    H, n, d_head = len(W), len(x), W.shape[1]
    projected = np.zeros((H, n, d_head))
    for h in range(H):
        for i in range(n):
            projected[h, i] = W[h] @ x[i]
    return projected


def attention_scores(
    x_q: Float64[np.ndarray, "H n d_head"], y_k: Float64[np.ndarray, "H m d_head"]
) -> Float64[np.ndarray, "H n m"]:
    r"""Step 2: each attender's query against each attendee's key.

    .. math::

        \alpha_{i,j}^{(h)} = \frac{x_i^{(h,q)} \cdot y_j^{(h,k)}}{\sqrt{64}}

    These :math:`\alpha` are scores before the softmax; the note's :math:`\alpha` are the weights after it.

    Source: K13
    """
    H, n, d_head = x_q.shape
    m = y_k.shape[1]
    alpha = np.zeros((H, n, m))
    for h in range(H):
        for i in range(n):
            for j in range(m):
                alpha[h, i, j] = np.dot(x_q[h, i], y_k[h, j]) / np.sqrt(d_head)
    return alpha


def combine_values(
    alpha: Float64[np.ndarray, "H n m"], y_v: Float64[np.ndarray, "H m d_head"]
) -> Float64[np.ndarray, "H n d_head"]:
    r"""Step 3: weights from scores, and the weighted sum of the attendees' values.

    .. math::

        \big(\beta_{i,1}^{(h)} \dots \beta_{i,m}^{(h)}\big)
        = \mathrm{softmax}\big(\alpha_{i,1}^{(h)} \dots \alpha_{i,m}^{(h)}\big), \qquad
        \mu_i^{(h)} = \sum_{j=1}^m \beta_{i,j}^{(h)} y_j^{(h,v)}

    Source: K14
    """
    H, n, m = alpha.shape
    mu = np.zeros((H, n, y_v.shape[2]))
    for h in range(H):
        for i in range(n):
            beta = softmax(alpha[h, i])
            for j in range(m):
                mu[h, i] += beta[j] * y_v[h, j]
    return mu


def sum_heads(
    mu: Float64[np.ndarray, "H n d_head"], U: Float64[np.ndarray, "H d_model d_head"]
) -> Float64[np.ndarray, "n d_model"]:
    r"""Step 4: the heads, each brought back to the model's width, added up.

    .. math::

        \mu_i = \sum_{h=1}^{8} U_h\, \mu_i^{(h)}

    Source: K15
    """
    H, n, _ = mu.shape
    combined = np.zeros((n, U.shape[1]))
    for i in range(n):
        for h in range(H):
            combined[i] += U[h] @ mu[h, i]
    return combined


def multi_head_attention(
    x: Float64[np.ndarray, "n d_model"],
    y: Float64[np.ndarray, "m d_model"],
    W_Q: Float64[np.ndarray, "H d_head d_model"],
    W_K: Float64[np.ndarray, "H d_head d_model"],
    W_V: Float64[np.ndarray, "H d_head d_model"],
    U: Float64[np.ndarray, "H d_model d_head"],
) -> Float64[np.ndarray, "n d_model"]:
    r"""The four steps: attenders x rewritten by what they find in attendees y.

    Source: K12, K13, K14, K15
    """
    alpha = attention_scores(project(x, W_Q), project(y, W_K))
    mu = combine_values(alpha, project(y, W_V))
    return sum_heads(mu, U)


def layer_normalization(
    x: Float64[np.ndarray, "d_model"],
    g: Float64[np.ndarray, "d_model"],
    b: Float64[np.ndarray, "d_model"],
) -> Float64[np.ndarray, "d_model"]:
    r"""Standardize the features of one position, then scale and shift them.

    .. math::

        \bar x = g \odot \frac{x - \mu}{\sigma + 0.001} + b

    The deviation is the note's, with 1/512 under the root; Stratos does not say whether that or 1/511 is
    meant. The 0.001 is added to the deviation, where libraries add a smaller number to the variance.

    Source: K16
    """
    mu, sigma = mean_and_deviation(x)
    return g * (x - mu) / (sigma + 0.001) + b


def fat_relu(
    x: Float64[np.ndarray, "n d_model"],
    F_1: Float64[np.ndarray, "d_ff d_model"],
    b_1: Float64[np.ndarray, "d_ff"],
    F_2: Float64[np.ndarray, "d_model d_ff"],
    b_2: Float64[np.ndarray, "d_model"],
) -> Float64[np.ndarray, "n d_model"]:
    r"""The same two-layer ReLU network, with biases, at every position.

    .. math::

        y = F_2 \max\{0,\, F_1 x + b_1\} + b_2

    Source: K17
    """
    y = np.zeros(x.shape)
    for i in range(len(x)):
        y[i] = F_2 @ relu(F_1 @ x[i] + b_1) + b_2
    return y
