r"""What others changed in the block and its attention, as literally as the five sources.

Float64 NumPy, indices counted from 0: root mean square normalization and the gated position-wise network
(chapter 10), heads that share keys and values (chapter 7), and attention with a kernel in the place of its
exponential: kernel regression (chapters 6 and 19), linear attention as a sum and as a memory (chapter 16).
There, and in attention by tiles (chapter 17), queries and keys are those of one head, as rows.
"""

import math
from collections.abc import Callable

import numpy as np
from jaxtyping import Float64

from .note import softmax
from .slides import sigmoid

__all__ = [
    "ffn_swiglu",
    "flash_attention",
    "gaussian_kernel",
    "grouped_query_attention",
    "linear_attention",
    "linear_attention_weights",
    "memory_attention",
    "moved_by_tiles",
    "moved_without_tiles",
    "multi_query_attention",
    "nadaraya_watson",
    "positive_features",
    "rms_norm",
    "standard_attention",
    "swish",
]

Kernel = Callable[[Float64[np.ndarray, "d"], Float64[np.ndarray, "d"]], float]


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


def nadaraya_watson(
    x: Float64[np.ndarray, "d"],
    points: Float64[np.ndarray, "n d"],
    y: Float64[np.ndarray, "n"],
    kernel: Kernel,
) -> float:
    r"""The mean of the observations y, weighted by how near their points are to x.

    .. math::

        m(x) = \frac{\sum_{j=1}^n \kappa(x, x_j)\, y_j}{\sum_{j=1}^n \kappa(x, x_j)}

    Source: Nadaraya (1964); Watson (1964)
    """
    above = sum(kernel(x, points[j]) * y[j] for j in range(len(points)))
    below = sum(kernel(x, points[j]) for j in range(len(points)))
    return float(above / below)


def gaussian_kernel(beta: float) -> Kernel:
    r"""The kernel of bandwidth :math:`1/\sqrt\beta`.

    .. math::

        \kappa(x, x') = \exp\big(-\beta \lVert x - x' \rVert^2 / 2\big)

    Source: Watson (1964)
    """
    return lambda x, other: float(np.exp(-beta * np.sum((x - other) ** 2) / 2))


def positive_features(x: Float64[np.ndarray, "k"]) -> Float64[np.ndarray, "k"]:
    r"""Features that are never negative: :math:`\phi(x) = \mathrm{elu}(x) + 1`.

    Source: Katharopoulos et al. (2020), section 3.2
    """
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention_weights(
    Q: Float64[np.ndarray, "p k"], K: Float64[np.ndarray, "p k"], f: Float64[np.ndarray, "p"]
) -> Float64[np.ndarray, "p p"]:
    r"""How much of the value written at s is read at t, before they are made to sum to 1.

    .. math::

        a_{t,s} = \Big(\prod_{r=s+1}^t f_r\Big)\, \langle \phi(q_t), \phi(k_s) \rangle, \qquad s \le t

    The paper has no forget gates, :math:`f = 1`. Yang et al. (2024) have one for each row of the memory;
    here all rows share it.

    Source: Katharopoulos et al. (2020), section 3.3; Yang et al. (2024) for the gates
    """
    p = len(Q)
    a = np.zeros((p, p))
    for t in range(p):
        for s in range(t + 1):
            a[t, s] = positive_features(Q[t]) @ positive_features(K[s])
            for r in range(s + 1, t + 1):
                a[t, s] = a[t, s] * f[r]
    return a


def linear_attention(
    Q: Float64[np.ndarray, "p k"],
    K: Float64[np.ndarray, "p k"],
    V: Float64[np.ndarray, "p m"],
    f: Float64[np.ndarray, "p"],
) -> Float64[np.ndarray, "p m"]:
    r"""Linear attention as a weighted sum over the past.

    .. math::

        y_t = \frac{\sum_{s \le t} a_{t,s} v_s}{\sum_{s \le t} a_{t,s}}

    Source: Katharopoulos et al. (2020), section 3.3; Yang et al. (2024) for the gates
    """
    a = linear_attention_weights(Q, K, f)
    y = np.zeros(V.shape)
    for t in range(len(Q)):
        read = sum(a[t, s] * V[s] for s in range(t + 1))
        y[t] = read / sum(a[t, s] for s in range(t + 1))
    return y


def memory_attention(
    Q: Float64[np.ndarray, "p k"],
    K: Float64[np.ndarray, "p k"],
    V: Float64[np.ndarray, "p m"],
    f: Float64[np.ndarray, "p"],
) -> Float64[np.ndarray, "p m"]:
    r"""Linear attention as a recurrent network, whose memory is a matrix and a vector.

    .. math::

        S_t = f_t S_{t-1} + \phi(k_t) v_t^T, \qquad
        z_t = f_t z_{t-1} + \phi(k_t), \qquad
        y_t = \frac{S_t^T \phi(q_t)}{\langle z_t, \phi(q_t) \rangle}

    Both start at zero.

    Source: Katharopoulos et al. (2020), section 3.4; Yang et al. (2024) for the gates
    """
    S, z = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])
    y = np.zeros(V.shape)
    for t in range(len(Q)):
        S = f[t] * S + np.outer(positive_features(K[t]), V[t])
        z = f[t] * z + positive_features(K[t])
        y[t] = S.T @ positive_features(Q[t]) / (z @ positive_features(Q[t]))
    return y


def standard_attention(
    Q: Float64[np.ndarray, "N d"], K: Float64[np.ndarray, "N d"], V: Float64[np.ndarray, "N d_v"]
) -> Float64[np.ndarray, "N d_v"]:
    r"""One causal head whose scores and weights are whole matrices.

    .. math::

        S = Q K^T, \qquad P = \mathrm{softmax}(S), \qquad O = P V

    Scores of later keys are minus infinity. As in the paper's section 2.2, nothing is divided by the root of
    the head's width; the mask is that of its appendix.

    Source: Dao et al. (2022), algorithm 0
    """
    N = len(Q)
    S = Q @ K.T
    S[np.triu_indices(N, k=1)] = -np.inf
    P = np.stack([softmax(S[i]) for i in range(N)])
    return P @ V


def flash_attention(
    Q: Float64[np.ndarray, "N d"],
    K: Float64[np.ndarray, "N d"],
    V: Float64[np.ndarray, "N d_v"],
    B_r: int,
    B_c: int,
) -> Float64[np.ndarray, "N d_v"]:
    r"""The same output from tiles of :math:`B_r` queries and :math:`B_c` keys; no larger matrix exists.

    For each tile of keys, with what was there before marked by a bar,

    .. math::

        m = \max(\bar m, \mathrm{rowmax}(S)), \quad P = e^{S - m}, \quad
        \ell = e^{\bar m - m} \bar\ell + \mathrm{rowsum}(P), \quad
        O = e^{\bar m - m} \bar O + P V_{tile}

    and at the end the rows of O are divided by :math:`\ell`. Tiles that hold later keys only are not read.

    Source: Dao et al. (2022), algorithm 1, in the order of Dao (2023), algorithm 1: queries outside
    """
    N = len(Q)
    output = np.zeros((N, V.shape[1]))
    for r in range(0, N, B_r):
        rows = np.arange(r, min(r + B_r, N))
        m = np.full(len(rows), -np.inf)
        ell = np.zeros(len(rows))
        O_r = np.zeros((len(rows), V.shape[1]))
        for c in range(0, rows[-1] + 1, B_c):
            columns = np.arange(c, min(c + B_c, N))
            S = Q[rows] @ K[columns].T
            S[columns[None, :] > rows[:, None]] = -np.inf
            m_new = np.maximum(m, S.max(axis=1))
            # A row that sees nothing of a tile keeps its maximum.
            P = np.exp(S - m_new[:, None])
            shrink = np.exp(m - m_new)
            ell = shrink * ell + P.sum(axis=1)
            O_r = shrink[:, None] * O_r + P @ V[columns]
            m = m_new
        output[rows] = O_r / ell[:, None]
    return output


def moved_without_tiles(N: int, d: int) -> int:
    r"""Numbers that travel between the large memory and the processor, if S and P are whole matrices.

    .. math::

        \underbrace{2Nd + N^2}_{S = QK^T} + \underbrace{2N^2}_{\mathrm{softmax}}
        + \underbrace{N^2 + 2Nd}_{O = PV} = 4N^2 + 4Nd

    Every step reads its inputs and writes its output once, as if the small memory held what it works on.

    Source: Dao et al. (2022), algorithm 0 and theorem 2
    """
    return 4 * N * N + 4 * N * d


def moved_by_tiles(N: int, d: int, B_r: int, B_c: int) -> int:
    r"""The same with tiles: queries in and outputs out once, keys and values once for each tile of queries.

    .. math::

        2Nd + 2d \sum_{\text{tiles of queries}} \text{keys read}

    A causal head reads keys up to the end of the tile that holds its last query. Without a mask the sum is
    :math:`N \lceil N / B_r \rceil`.

    Source: Dao et al. (2022), theorem 2, in the order of Dao (2023), algorithm 1
    """
    keys = 0
    for r in range(0, N, B_r):
        last = min(r + B_r, N)
        keys += min(N, B_c * math.ceil(last / B_c))
    return 2 * N * d + 2 * d * keys
