r"""What today's models changed in the block, as literally as the five sources.

Float64 NumPy, indices counted from 0: root mean square normalization and the gated position-wise network
(chapter 10), and heads that share keys and values (chapter 7).
"""

import numpy as np
from jaxtyping import Float64

from .note import softmax
from .slides import sigmoid

__all__ = [
    "ffn_swiglu",
    "grouped_query_attention",
    "multi_query_attention",
    "rms_norm",
    "swish",
]


def rms_norm(a: Float64[np.ndarray, "n"], g: Float64[np.ndarray, "n"]) -> Float64[np.ndarray, "n"]:
    r"""Features divided by their root mean square, times a gain for each.

    .. math::

        \bar a_i = \frac{a_i}{\mathrm{RMS}(\mathbf{a})} g_i, \qquad
        \mathrm{RMS}(\mathbf{a}) = \sqrt{\frac{1}{n} \sum_{i=1}^n a_i^2}

    Source: Zhang and Sennrich (2019), equation (4)
    """
    n = len(a)
    rms = np.sqrt(np.sum(a**2) / n)
    return np.array([a[i] / rms * g[i] for i in range(n)])


def swish(x: Float64[np.ndarray, "n"], beta: float = 1.0) -> Float64[np.ndarray, "n"]:
    r"""The activation :math:`\mathrm{Swish}_\beta(x) = x \, \sigma(\beta x)`, also called SiLU for 1.

    Source: Shazeer (2020), section 1
    """
    return x * sigmoid(beta * x)


def ffn_swiglu(
    x: Float64[np.ndarray, "d"],
    W: Float64[np.ndarray, "d d_ff"],
    V: Float64[np.ndarray, "d d_ff"],
    W_2: Float64[np.ndarray, "d_ff d"],
) -> Float64[np.ndarray, "d"]:
    r"""The position-wise network whose inner layer is a product of two, without biases.

    .. math::

        \mathrm{FFN}_{\mathrm{SwiGLU}}(x, W, V, W_2) = (\mathrm{Swish}_1(xW) \otimes xV) W_2

    Source: Shazeer (2020), equation (6)
    """
    return (swish(x @ W) * (x @ V)) @ W_2


def multi_query_attention(
    X: Float64[np.ndarray, "n d"],
    M: Float64[np.ndarray, "m d"],
    P_q: Float64[np.ndarray, "h d k"],
    P_k: Float64[np.ndarray, "d k"],
    P_v: Float64[np.ndarray, "d v"],
    P_o: Float64[np.ndarray, "h d v"],
) -> Float64[np.ndarray, "n d"]:
    r"""Attention of h heads with queries of their own to one set of keys and values, made from the memory M.

    .. math::

        y_i = \sum_h \sum_j
        \mathrm{softmax}_j\big(\langle x_i P_{q,h},\, m_j P_k \rangle\big)\, m_j P_v P_{o,h}^T

    The scores are not scaled: the paper takes the factor into the projections.

    Source: Shazeer (2019), section 3
    """
    K, V = M @ P_k, M @ P_v
    Y = np.zeros_like(X)
    for i in range(len(X)):
        for h in range(len(P_q)):
            q = X[i] @ P_q[h]
            scores = np.array([np.dot(q, K[j]) for j in range(len(M))])
            weights = softmax(scores)
            Y[i] += P_o[h] @ (weights @ V)
    return Y


def grouped_query_attention(
    x: Float64[np.ndarray, "n d"],
    W_q: Float64[np.ndarray, "H d k"],
    W_k: Float64[np.ndarray, "G d k"],
    W_v: Float64[np.ndarray, "G d v"],
    W_c: Float64[np.ndarray, "H v d"],
) -> Float64[np.ndarray, "n d"]:
    r"""Causal attention of H heads in G groups, each of which shares one head of keys and values.

    .. math::

        u_i = \sum_{h=0}^{H-1} W_{c,h}^T \sum_{j \le i} \mathrm{softmax}_j\bigg(
        \frac{\langle W_{q,h}^T x_i,\, W_{k,g(h)}^T x_j \rangle}{\sqrt{k}}\bigg)\, W_{v,g(h)}^T x_j,
        \qquad g(h) = \Big\lfloor \frac{h\,G}{H} \Big\rfloor

    The paper says it in words and a figure: G = 1 is multi-query, G = H is multi-head attention.

    Source: Ainslie et al. (2023), section 2.2 and figure 2
    """
    (H, _, k), (G, _, v) = W_q.shape, W_v.shape
    u = np.zeros_like(x)
    for i in range(len(x)):
        for h in range(H):
            g = h * G // H
            q = W_q[h].T @ x[i]
            scores, values = np.zeros(i + 1), np.zeros((i + 1, v))
            for j in range(i + 1):
                scores[j] = np.dot(q, W_k[g].T @ x[j]) / np.sqrt(k)
                values[j] = W_v[g].T @ x[j]
            u[i] += W_c[h].T @ (softmax(scores) @ values)
    return u
