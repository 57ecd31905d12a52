r"""The TransformerX article: attention, feed-forward network, residual lines and positions.

These are T1, T2, T3, T4, T5, T6, T7, T8, T9 and T10. Our copy of the article has lost its displayed
formulas. T1, T2, T3, T5, T8, T9 and T10 are rebuilt from the paper it explains, Vaswani et al. (2017), in
the article's letters: N queries and M keys as rows, :math:`D_k` and :math:`D_v` wide, h heads. T4, T6 and
T7 stand in the article's text. Everything is float64 NumPy; indices count from 0. Chapters 6 to 10 call
these functions live.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Float64

from .note import layer_norm, relu, softmax

__all__ = [
    "attention_head",
    "attention_matrix",
    "causal_scores",
    "feed_forward",
    "feed_forward_residual",
    "masked_scores",
    "masked_self_attention",
    "multi_head_attention",
    "offset_map",
    "offset_rotation",
    "positional_encoding",
    "scaled_dot_product_attention",
    "scaled_scores",
    "self_attention_residual",
]


def scaled_scores(
    Q: Float64[np.ndarray, "N D_k"], K: Float64[np.ndarray, "M D_k"]
) -> Float64[np.ndarray, "N M"]:
    r"""The scores that the softmax turns into weights, :math:`S_{ij} = Q_i \cdot K_j / \sqrt{D_k}`.

    Source: T1
    """
    N, M, D_k = len(Q), len(K), Q.shape[1]
    S = np.zeros((N, M))
    for i in range(N):
        for j in range(M):
            S[i, j] = np.dot(Q[i], K[j]) / np.sqrt(D_k)
    return S


def attention_matrix(S: Float64[np.ndarray, "N M"]) -> Float64[np.ndarray, "N M"]:
    r"""The article's matrix A: the softmax of each row of scores.

    Source: T1
    """
    A = np.zeros(S.shape)
    for i in range(len(S)):
        A[i] = softmax(S[i])
    return A


def scaled_dot_product_attention(
    Q: Float64[np.ndarray, "N D_k"],
    K: Float64[np.ndarray, "M D_k"],
    V: Float64[np.ndarray, "M D_v"],
) -> Float64[np.ndarray, "N D_v"]:
    r"""Every query's mixture of the values.

    .. math::

        \mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{Q K^T}{\sqrt{D_k}}\right) V = A V

    Rebuilt from Vaswani et al. (2017), equation (1).

    Source: T1
    """
    A = attention_matrix(scaled_scores(Q, K))
    return _mixtures(A, V)


def attention_head(
    Q: Float64[np.ndarray, "N D_m"],
    K: Float64[np.ndarray, "M D_m"],
    V: Float64[np.ndarray, "M D_m"],
    W_Q: Float64[np.ndarray, "D_m D_k"],
    W_K: Float64[np.ndarray, "D_m D_k"],
    W_V: Float64[np.ndarray, "D_m D_v"],
) -> Float64[np.ndarray, "N D_v"]:
    r"""One head: attention between projected queries, keys and values.

    .. math::

        \mathrm{head}_i = \mathrm{Attention}(Q W^Q_i, K W^K_i, V W^V_i)

    Rebuilt from Vaswani et al. (2017), section 3.2.2.

    Source: T3
    """
    return scaled_dot_product_attention(Q @ W_Q, K @ W_K, V @ W_V)


def multi_head_attention(
    Q: Float64[np.ndarray, "N D_m"],
    K: Float64[np.ndarray, "M D_m"],
    V: Float64[np.ndarray, "M D_m"],
    W_Q: Float64[np.ndarray, "h D_m D_k"],
    W_K: Float64[np.ndarray, "h D_m D_k"],
    W_V: Float64[np.ndarray, "h D_m D_v"],
    W_O: Float64[np.ndarray, "h_D_v D_m"],
) -> Float64[np.ndarray, "N D_m"]:
    r"""The heads side by side, projected once.

    .. math::

        \mathrm{MultiHead}(Q, K, V) = \mathrm{Concat}(\mathrm{head}_1, \dots, \mathrm{head}_h) W^O, \qquad
        W^O \in \mathbb{R}^{h D_v \times D_m}

    Rebuilt from Vaswani et al. (2017), section 3.2.2.

    Source: T2, T3
    """
    heads = []
    for i in range(len(W_Q)):
        heads.append(attention_head(Q, K, V, W_Q[i], W_K[i], W_V[i]))
    return np.concatenate(heads, axis=1) @ W_O


def masked_scores(
    S: Float64[np.ndarray, "N M"], may_attend: Bool[np.ndarray, "N M"]
) -> Float64[np.ndarray, "N M"]:
    r"""Scores with minus infinity wherever query i may not attend to key j.

    Source: T4
    """
    masked = S.copy()
    for i in range(S.shape[0]):
        for j in range(S.shape[1]):
            if not may_attend[i, j]:
                masked[i, j] = -np.inf
    return masked


def causal_scores(S: Float64[np.ndarray, "N N"]) -> Float64[np.ndarray, "N N"]:
    r"""Scores that leave each position itself and the ones before it.

    .. math::

        S_{ij} = -\infty \quad \text{if } i < j

    The article sets :math:`A_{ij}`, but A is its name for the matrix *after* the softmax, where minus
    infinity is no weight; the scores are meant, so that the weights become 0.

    Source: T4
    """
    N = len(S)
    may_attend = np.zeros((N, N), dtype=bool)
    for i in range(N):
        for j in range(N):
            may_attend[i, j] = not i < j
    return masked_scores(S, may_attend)


def masked_self_attention(
    Q: Float64[np.ndarray, "N D_k"],
    K: Float64[np.ndarray, "N D_k"],
    V: Float64[np.ndarray, "N D_v"],
) -> Float64[np.ndarray, "N D_v"]:
    r"""Scaled dot-product attention in which position i reads positions up to i.

    Source: T1, T4
    """
    A = attention_matrix(causal_scores(scaled_scores(Q, K)))
    return _mixtures(A, V)


def feed_forward(
    X: Float64[np.ndarray, "n D_m"],
    W_1: Float64[np.ndarray, "D_m D_f"],
    b_1: Float64[np.ndarray, "D_f"],
    W_2: Float64[np.ndarray, "D_f D_m"],
    b_2: Float64[np.ndarray, "D_m"],
) -> Float64[np.ndarray, "n D_m"]:
    r"""The same two-layer ReLU network, with biases, at every position.

    .. math::

        \mathrm{FFN}(x) = \max(0, x W_1 + b_1) W_2 + b_2

    Rebuilt from Vaswani et al. (2017), equation (2). The article places one on top of each sub-layer; it is
    itself a sub-layer, and each layer has one.

    Source: T5
    """
    n, D_m = X.shape
    Y = np.zeros((n, D_m))
    for i in range(n):
        Y[i] = relu(X[i] @ W_1 + b_1) @ W_2 + b_2
    return Y


def self_attention_residual(
    X: Float64[np.ndarray, "n D_m"],
    self_attention: Callable[[Float64[np.ndarray, "n D_m"]], Float64[np.ndarray, "n D_m"]],
    gain: Float64[np.ndarray, "D_m"],
    bias: Float64[np.ndarray, "D_m"],
) -> Float64[np.ndarray, "n D_m"]:
    r"""The first residual line of a layer.

    .. math::

        x' = \mathrm{LayerNorm}(\mathrm{SelfAttention}(X) + X)

    The article leaves LayerNorm undefined; here it is the note's at each position, with gain and bias
    vectors.

    Source: T6
    """
    return _layer_norm_rows(self_attention(X) + X, gain, bias)


def feed_forward_residual(
    x_prime: Float64[np.ndarray, "n D_m"],
    ffn: Callable[[Float64[np.ndarray, "n D_m"]], Float64[np.ndarray, "n D_m"]],
    gain: Float64[np.ndarray, "D_m"],
    bias: Float64[np.ndarray, "D_m"],
) -> Float64[np.ndarray, "n D_m"]:
    r"""The second residual line of a layer.

    .. math::

        x = \mathrm{LayerNorm}(\mathrm{FFN}(x') + x')

    Source: T7
    """
    return _layer_norm_rows(ffn(x_prime) + x_prime, gain, bias)


def positional_encoding(n: int, d: int) -> Float64[np.ndarray, "n d"]:
    r"""The matrix P of n fixed positions that is added to n tokens of d features, :math:`X + P`.

    .. math::

        P_{i,2j} = \sin\left(\frac{i}{10000^{2j/d}}\right), \qquad
        P_{i,2j+1} = \cos\left(\frac{i}{10000^{2j/d}}\right)

    Rebuilt from Vaswani et al. (2017), section 3.5. Rows and columns count from 0.

    Source: T8, T9
    """
    P = np.zeros((n, d))
    for i in range(n):
        for j in range((d + 1) // 2):
            P[i, 2 * j] = np.sin(i / 10000 ** (2 * j / d))
        for j in range(d // 2):
            P[i, 2 * j + 1] = np.cos(i / 10000 ** (2 * j / d))
    return P


def offset_rotation(delta: int, j: int, d: int) -> Float64[np.ndarray, "2 2"]:
    r"""The matrix that moves the j-th pair of columns of P by :math:`\delta` positions, wherever it starts.

    .. math::

        \begin{pmatrix} P_{i+\delta,2j} \\ P_{i+\delta,2j+1} \end{pmatrix}
        = \begin{pmatrix} \cos(\delta\psi) & \sin(\delta\psi) \\
        -\sin(\delta\psi) & \cos(\delta\psi) \end{pmatrix}
        \begin{pmatrix} P_{i,2j} \\ P_{i,2j+1} \end{pmatrix}, \qquad \psi = 10000^{-2j/d}

    Rebuilt from the claim of Vaswani et al. (2017), section 3.5, by the addition theorems of sine and cosine.

    Source: T10
    """
    psi = 1 / 10000 ** (2 * j / d)
    c, s = np.cos(delta * psi), np.sin(delta * psi)
    return np.array([[c, s], [-s, c]])


def offset_map(delta: int, d: int) -> Float64[np.ndarray, "d d"]:
    r"""The d/2 rotations as one matrix: :math:`P_{i+\delta} = R_\delta P_i` for every i.

    Raises
    ------
    ValueError
        If d is odd: the last sine then has no cosine beside it.

    Source: T10
    """
    if d % 2 == 1:
        raise ValueError(f"columns of P are rotated in pairs, and d = {d} is odd; take an even d")
    R = np.zeros((d, d))
    for j in range(d // 2):
        R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = offset_rotation(delta, j, d)
    return R


def _mixtures(A: Float64[np.ndarray, "N M"], V: Float64[np.ndarray, "M D_v"]) -> Float64[np.ndarray, "N D_v"]:
    N, M = A.shape
    output = np.zeros((N, V.shape[1]))
    for i in range(N):
        for j in range(M):
            output[i] += A[i, j] * V[j]
    return output


def _layer_norm_rows(
    X: Float64[np.ndarray, "n D_m"], gain: Float64[np.ndarray, "D_m"], bias: Float64[np.ndarray, "D_m"]
) -> Float64[np.ndarray, "n D_m"]:
    normalized = np.zeros(X.shape)
    for i in range(len(X)):
        normalized[i] = layer_norm(X[i], gain, bias)
    return normalized
