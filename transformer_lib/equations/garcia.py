r"""From the attention of a recurrent decoder to masked self-attention: Garcia's notes.

These are G1, G2, G3, G4, G5, G6, G7 and G8. Chapters 5 to 8 call these functions live. Everything is
float64 NumPy with Garcia's indices, counted from 0. The T encoder states :math:`h_i` and the T' decoder
states :math:`q_j` are rows of ``h`` and ``q``. Two things set these formulas apart from the other sources':
nothing is divided by :math:`\sqrt{d}`, and the alignment score :math:`\alpha_{ij}` has the attended
position first and the asking one second.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float64

from .note import softmax

__all__ = [
    "alignment_scores",
    "attention_values",
    "attention_vectors",
    "block_selector",
    "concatenated_heads",
    "masked_copies",
    "output_distribution",
    "project",
    "self_attention",
    "softmax_rows",
]


def output_distribution(
    q_i: Float64[np.ndarray, "d_hidden"],
    F: Callable[[Float64[np.ndarray, "d_hidden"]], Float64[np.ndarray, "d_output"]],
) -> Float64[np.ndarray, "d_output"]:
    r"""Distribution of the i-th output word, from the decoder's state, through an affine map F.

    .. math::

        \mathbb{P}(y_i = \cdot) = \mathrm{softmax}(F(q_i))

    Source: G1
    """
    return softmax(F(q_i))


def alignment_scores(
    h: Float64[np.ndarray, "T d_hidden"], q: Float64[np.ndarray, "T_out d_hidden"]
) -> Float64[np.ndarray, "T T_out"]:
    r"""How much decoder state j attends to encoder state i; each *column* ``alpha[:, j]`` sums to 1.

    .. math::

        \alpha_{ij} = \frac{e^{\langle h_i, q_j \rangle}}{\sum_{k=1}^{T} e^{\langle h_k, q_j \rangle}}

    Garcia's text below the formula calls :math:`q_j` a key that queries; it is the query, and
    :math:`h_i` is the key.

    Source: G2
    """
    T, T_out = len(h), len(q)
    alpha = np.zeros((T, T_out))
    for i in range(T):
        for j in range(T_out):
            total = sum(np.exp(np.dot(h[k], q[j])) for k in range(T))
            alpha[i, j] = np.exp(np.dot(h[i], q[j])) / total
    return alpha


def attention_vectors(
    h: Float64[np.ndarray, "T d_hidden"], alpha: Float64[np.ndarray, "T T_out"]
) -> Float64[np.ndarray, "T_out d_hidden"]:
    r"""The mixture of encoder states that decoder state j receives.

    .. math::

        A_j = \sum_{i=1}^{T} \alpha_{ij} h_i

    Source: G3
    """
    T, T_out = alpha.shape
    A = np.zeros((T_out, h.shape[1]))
    for j in range(T_out):
        for i in range(T):
            A[j] += alpha[i, j] * h[i]
    return A


def softmax_rows(scores: Float64[np.ndarray, "T_q T_k"]) -> Float64[np.ndarray, "T_q T_k"]:
    r"""The softmax of each row of a matrix of scores.

    Garcia writes one softmax for a matrix and for its transpose. By rows, only the transposed form,
    :math:`\alpha^T = \mathrm{softmax}(\mathbf{Q}\mathbf{h}^T)`, agrees with the scores' definition; its
    companion :math:`\alpha = \mathrm{softmax}(\mathbf{h}\mathbf{Q}^T)` has to normalize columns.

    Source: G4, G5
    """
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        weights[i] = softmax(scores[i])
    return weights


def attention_values(
    Q: Float64[np.ndarray, "T_out d_hidden"], h: Float64[np.ndarray, "T d_hidden"]
) -> Float64[np.ndarray, "T_out d_hidden"]:
    r"""All attention vectors of the recurrent decoder at once.

    .. math::

        \mathbf{A} = \alpha^T \mathbf{h} = \mathrm{softmax}(\mathbf{Q} \mathbf{h}^T)\, \mathbf{h}

    Source: G4
    """
    return softmax_rows(Q @ h.T) @ h


def self_attention(
    Q: Float64[np.ndarray, "T_q d"],
    K: Float64[np.ndarray, "T_k d"],
    V: Float64[np.ndarray, "T_k d_v"],
) -> Float64[np.ndarray, "T_q d_v"]:
    r"""Every query's mixture of the values, without a scale.

    .. math::

        \mathbf{A} = \mathrm{softmax}(\mathbf{Q} \mathbf{K}^T)\, \mathbf{V}

    With :math:`\mathbf{K} = \mathbf{V} = \mathbf{h}` this is `attention_values`. Garcia has as many queries
    as keys and the widths all equal; neither is needed.

    Source: G5
    """
    return softmax_rows(Q @ K.T) @ V


def project(
    X: Float64[np.ndarray, "T d_input"], W: Float64[np.ndarray, "d_input d"]
) -> Float64[np.ndarray, "T d"]:
    r"""One linear map applied at every time step.

    .. math::

        \mathbf{Q} = \mathbf{X} \mathbf{W}_Q, \qquad \mathbf{K} = \mathbf{X} \mathbf{W}_K, \qquad
        \mathbf{V} = \mathbf{X} \mathbf{W}_V

    Source: G6
    """
    return X @ W


def block_selector(d_input: int, d: int, m: int) -> Float64[np.ndarray, "d_input d"]:
    r"""The example matrix whose first m rows have ones on the diagonal, and that is zero elsewhere.

    :math:`\mathbf{X} \mathbf{W}_Q` then holds the first m features of every time step, followed by zeros.

    Source: G6
    """
    W = np.zeros((d_input, d))
    for l in range(m):
        W[l, l] = 1.0
    return W


def concatenated_heads(
    X: Float64[np.ndarray, "T d_input"],
    W_Q: Float64[np.ndarray, "h d_input d"],
    W_K: Float64[np.ndarray, "h d_input d"],
    W_V: Float64[np.ndarray, "h d_input d"],
) -> Float64[np.ndarray, "T h_d"]:
    r"""Several self-attentions side by side, each :math:`d = d_\text{input} / h` wide.

    .. math::

        \mathbf{A}_i = \mathrm{softmax}\big(\mathbf{X} \mathbf{W}_{Q_i} (\mathbf{X} \mathbf{W}_{K_i})^T\big)\,
        \mathbf{X} \mathbf{W}_{V_i}, \qquad
        \mathbf{W}_{Q_i}, \mathbf{W}_{K_i}, \mathbf{W}_{V_i}
        \in \mathbb{R}^{d_\text{input} \times d_\text{input}/h}

    Garcia stops at the concatenation :math:`(\mathbf{A}_1, \dots, \mathbf{A}_h)`; Vaswani et al. (2017)
    project it once more.

    Source: G7
    """
    heads = []
    for i in range(len(W_Q)):
        Q, K, V = project(X, W_Q[i]), project(X, W_K[i]), project(X, W_V[i])
        heads.append(self_attention(Q, K, V))
    return np.concatenate(heads, axis=1)


def masked_copies(y: Float64[np.ndarray, "T_out d"]) -> Float64[np.ndarray, "T_out T_out d"]:
    r"""The decoder's input, once for every word it predicts, with all later words replaced by zeros.

    .. math::

        \begin{bmatrix}
        \langle\mathrm{SOS}\rangle & \mathbf{0} & \mathbf{0} & \dots & \mathbf{0} \\
        \langle\mathrm{SOS}\rangle & y_1 & \mathbf{0} & \dots & \mathbf{0} \\
        \vdots & \vdots & \vdots & \ddots & \vdots \\
        \langle\mathrm{SOS}\rangle & y_1 & y_2 & \dots & y_{T'-1}
        \end{bmatrix}

    ``y`` is the whole input :math:`(\langle\mathrm{SOS}\rangle, y_1, \dots, y_{T'-1})`, as vectors; entry
    ``[i, j]`` of the result is its vector j as seen while word i is predicted. Garcia copies the input
    :math:`T' - 1` times; the matrix has :math:`T'` rows, so that many copies are needed.

    Source: G8
    """
    T_out, d = y.shape
    copies = np.zeros((T_out, T_out, d))
    for i in range(T_out):
        for j in range(T_out):
            if j <= i:
                copies[i, j] = y[j]
    return copies
