r"""Variants of attention and of the block from the literature, as literally as the five sources.

Float64 NumPy, indices counted from 0: relative positions (Shaw, Music Transformer, Transformer-XL), rotary
and linearly biased ones (chapter 9), local attention (chapter 5), the modern Hopfield network and the
Macaron block (chapter 19). Queries and keys are those of one head, as rows; the scores are what goes into
the softmax.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float64

from .note import softmax
from .slides import sigmoid

__all__ = [
    "alibi_bias",
    "alibi_slopes",
    "hopfield_energy",
    "hopfield_stored",
    "hopfield_update",
    "lie_trotter_step",
    "local_weights",
    "log_sum_exp",
    "macaron_block",
    "music_transformer_scores",
    "predicted_position",
    "relative_logits",
    "remember",
    "rotary",
    "shaw_outputs",
    "shaw_scores",
    "skew",
    "strang_step",
    "transformer_xl_scores",
]

SubLayer = Callable[[Float64[np.ndarray, "n d"]], Float64[np.ndarray, "n d"]]
Flow = Callable[[Float64[np.ndarray, "n d"], float], Float64[np.ndarray, "n d"]]


def shaw_scores(
    Q: Float64[np.ndarray, "n d_z"],
    K: Float64[np.ndarray, "n d_z"],
    w_K: Float64[np.ndarray, "distances d_z"],
) -> Float64[np.ndarray, "n n"]:
    r"""Scores in which every key carries a learned vector for its distance from the query.

    .. math::

        e_{ij} = \frac{q_i \cdot (k_j + a^K_{ij})}{\sqrt{d_z}}, \qquad
        a^K_{ij} = w^K_{\mathrm{clip}(j-i,\,k)}, \qquad
        \mathrm{clip}(x, k) = \max(-k, \min(k, x))

    ``w_K`` has 2k + 1 rows, for the distances -k to k: farther ones share the last vector on their side.

    Source: Shaw et al. (2018), equations (4) and (5)
    """
    n, d_z = Q.shape
    k = (len(w_K) - 1) // 2
    e = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            distance = max(-k, min(k, j - i))
            e[i, j] = np.dot(Q[i], K[j] + w_K[k + distance]) / np.sqrt(d_z)
    return e


def shaw_outputs(
    alpha: Float64[np.ndarray, "n n"],
    V: Float64[np.ndarray, "n d_v"],
    w_V: Float64[np.ndarray, "distances d_v"],
) -> Float64[np.ndarray, "n d_v"]:
    r"""What a head gives each query when the values too carry a learned vector for their distance.

    .. math::

        z_i = \sum_{j=1}^{n} \alpha_{ij} (v_j + a^V_{ij}), \qquad a^V_{ij} = w^V_{\mathrm{clip}(j-i,\,k)}

    ``alpha`` holds the weights, the softmax of `shaw_scores`. ``w_V`` has 2k + 1 rows, as ``w_K`` there.

    Source: Shaw et al. (2018), equations (3) and (5)
    """
    n = len(V)
    k = (len(w_V) - 1) // 2
    z = np.zeros(V.shape)
    for i in range(n):
        for j in range(n):
            distance = max(-k, min(k, j - i))
            z[i] += alpha[i, j] * (V[j] + w_V[k + distance])
    return z


def relative_logits(
    Q: Float64[np.ndarray, "L d"], E_r: Float64[np.ndarray, "L d"]
) -> Float64[np.ndarray, "L L"]:
    r"""Each query against the embedding of its distance to each earlier key, gathered entry by entry.

    .. math::

        S^{rel}_{ij} = q_i \cdot E^r_{L-1+j-i} \quad (j \le i)

    Row :math:`L - 1` of ``E_r`` is distance 0, row 0 the farthest, :math:`L - 1` positions back. Entries
    above the diagonal, which a causal mask hides, are 0.

    Source: Huang et al. (2019), section 3.4
    """
    L = len(Q)
    S_rel = np.zeros((L, L))
    for i in range(L):
        for j in range(i + 1):
            S_rel[i, j] = np.dot(Q[i], E_r[L - 1 + j - i])
    return S_rel


def skew(QE: Float64[np.ndarray, "L L"]) -> Float64[np.ndarray, "L L"]:
    r"""The same from the plain product :math:`Q (E^r)^T`, without forming a vector for every pair.

    A column of zeros goes in front, the L rows of L + 1 numbers are read as L + 1 rows of L, and the first is
    left out. On and below the diagonal this is `relative_logits`; above it stand numbers of other rows.

    Source: Huang et al. (2019), section 3.4.1
    """
    L = len(QE)
    padded = np.concatenate([np.zeros((L, 1)), QE], axis=1)
    return padded.reshape(L + 1, L)[1:]


def music_transformer_scores(
    Q: Float64[np.ndarray, "L d"], K: Float64[np.ndarray, "L d"], E_r: Float64[np.ndarray, "L d"]
) -> Float64[np.ndarray, "L L"]:
    r"""Scores of a causal head with skewed relative positions, right on and below the diagonal.

    .. math::

        \frac{Q K^T + \mathrm{Skew}(Q (E^r)^T)}{\sqrt{d}}

    Source: Huang et al. (2019), equation (3)
    """
    return (Q @ K.T + skew(Q @ E_r.T)) / np.sqrt(Q.shape[1])


def rotary(x: Float64[np.ndarray, "d"], m: int) -> Float64[np.ndarray, "d"]:
    r"""A query or key at position m, each pair of its features turned by an angle proportional to m.

    .. math::

        \begin{pmatrix} y_{2i} \\ y_{2i+1} \end{pmatrix} =
        \begin{pmatrix} \cos m\theta_i & -\sin m\theta_i \\ \sin m\theta_i & \cos m\theta_i \end{pmatrix}
        \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}, \qquad \theta_i = 10000^{-2i/d}

    The inner product of two rotated vectors depends on their positions through the difference alone.

    Source: Su et al. (2021), equations (14) and (15)
    """
    d = len(x)
    y = np.zeros(d)
    for i in range(d // 2):
        angle = m * 10000 ** (-2 * i / d)
        y[2 * i] = np.cos(angle) * x[2 * i] - np.sin(angle) * x[2 * i + 1]
        y[2 * i + 1] = np.sin(angle) * x[2 * i] + np.cos(angle) * x[2 * i + 1]
    return y


def alibi_slopes(n: int) -> Float64[np.ndarray, "n"]:
    r"""The slopes of n heads: a geometric sequence whose first term is also its ratio.

    .. math::

        m_h = \left(2^{-8/n}\right)^{h}, \qquad h = 1 \dots n

    Source: Press et al. (2022), section 3
    """
    return np.array([(2.0 ** (-8.0 / n)) ** h for h in range(1, n + 1)])


def alibi_bias(L: int, m: float) -> Float64[np.ndarray, "L L"]:
    r"""What is added to the scores of a causal head: a penalty that grows with the distance.

    .. math::

        b_{ij} = -m\,(i - j) \quad (j \le i)

    Entries above the diagonal are minus infinity, the causal mask.

    Source: Press et al. (2022), section 3
    """
    b = np.full((L, L), -np.inf)
    for i in range(L):
        for j in range(i + 1):
            b[i, j] = -m * (i - j)
    return b


def remember(
    memory: Float64[np.ndarray, "M d"], h: Float64[np.ndarray, "L d"]
) -> Float64[np.ndarray, "M_and_L d"]:
    r"""What keys and values are made from: the states of the segment before, then this one's.

    .. math::

        \tilde h = [\mathrm{SG}(m) \circ h]

    SG stops the gradient; for the values computed here it is the identity.

    Source: Dai et al. (2019), sections 3.2 and 3.3
    """
    return np.concatenate([memory, h], axis=0)


def transformer_xl_scores(
    h: Float64[np.ndarray, "L d"],
    memory: Float64[np.ndarray, "M d"],
    R: Float64[np.ndarray, "distances d"],
    W_q: Float64[np.ndarray, "d_head d"],
    W_kE: Float64[np.ndarray, "d_head d"],
    W_kR: Float64[np.ndarray, "d_head d"],
    u: Float64[np.ndarray, "d_head"],
    v: Float64[np.ndarray, "d_head"],
) -> Float64[np.ndarray, "L M_and_L"]:
    r"""Scores of one head for a segment and its memory: content and distance, each with a bias of its own.

    .. math::

        A^{rel}_{i,j} = \underbrace{q_i^\top W_{k,E} \tilde h_j}_{(a)}
        + \underbrace{q_i^\top W_{k,R} R_{i-j}}_{(b)}
        + \underbrace{u^\top W_{k,E} \tilde h_j}_{(c)} + \underbrace{v^\top W_{k,R} R_{i-j}}_{(d)}, \qquad
        q_i = W_q h_i

    i and j count from the memory's first state, so that query i of the segment is :math:`M + i`; row r of
    ``R`` encodes distance r. Scores of keys after their query are minus infinity, the causal mask. As in the
    paper's formula, nothing is divided by the root of the head's width.

    Source: Dai et al. (2019), section 3.3
    """
    M, L = len(memory), len(h)
    h_tilde = remember(memory, h)
    A = np.full((L, M + L), -np.inf)
    for i in range(L):
        q_i = W_q @ h[i]
        for j in range(M + i + 1):
            k_E, k_R = W_kE @ h_tilde[j], W_kR @ R[M + i - j]
            A[i, j] = q_i @ k_E + q_i @ k_R + u @ k_E + v @ k_R
    return A


def predicted_position(
    h_t: Float64[np.ndarray, "d"],
    W_p: Float64[np.ndarray, "a d"],
    v_p: Float64[np.ndarray, "a"],
    S: int,
) -> float:
    r"""Where in a source of S words a decoder's state looks, as a real number between 0 and S.

    .. math::

        p_t = S \cdot \mathrm{sigmoid}(v_p^\top \tanh(W_p h_t))

    Source: Luong et al. (2015), equation (9)
    """
    return float(S * sigmoid(np.array([np.dot(v_p, np.tanh(W_p @ h_t))]))[0])


def local_weights(scores: Float64[np.ndarray, "S"], p_t: float, D: int) -> Float64[np.ndarray, "S"]:
    r"""Weights of the words at most D from a position, soft among themselves, and less the farther away.

    .. math::

        a_t(s) = \mathrm{align}(h_t, \bar h_s)\, \exp\left(-\frac{(s - p_t)^2}{2\sigma^2}\right), \qquad
        \sigma = \frac{D}{2}

    The words stand at 1 to S, as in the paper; ``scores[s - 1]`` is that of word s. Weights outside the
    window are 0. The others no longer sum to 1 once the bell has been multiplied in.

    Source: Luong et al. (2015), equation (10)
    """
    S = len(scores)
    window = [s for s in range(1, S + 1) if p_t - D <= s <= p_t + D]
    a_t = np.zeros(S)
    if window:
        align = softmax(np.array([scores[s - 1] for s in window]))
        for s, weight in zip(window, align):
            a_t[s - 1] = weight * np.exp(-((s - p_t) ** 2) / (2 * (D / 2) ** 2))
    return a_t


def hopfield_update(
    X: Float64[np.ndarray, "d N"], xi: Float64[np.ndarray, "d"], beta: float
) -> Float64[np.ndarray, "d"]:
    r"""One step of retrieval from the N patterns stored in the columns of X.

    .. math::

        \xi^{new} = X\, \mathrm{softmax}(\beta X^T \xi)

    Source: Ramsauer et al. (2021), equation (3)
    """
    return X @ softmax(beta * (X.T @ xi))


def hopfield_energy(X: Float64[np.ndarray, "d N"], xi: Float64[np.ndarray, "d"], beta: float) -> float:
    r"""The energy that no update raises; it is at least 0.

    .. math::

        E = -\mathrm{lse}(\beta, X^T \xi) + \frac{1}{2} \xi^T \xi + \frac{1}{\beta} \log N
        + \frac{1}{2} M^2, \qquad M = \max_i \lVert x_i \rVert

    Source: Ramsauer et al. (2021), equation (2)
    """
    N = X.shape[1]
    M = max(np.linalg.norm(X[:, i]) for i in range(N))
    shift = np.log(N) / beta + M**2 / 2
    return float(-log_sum_exp(X.T @ xi, beta) + np.dot(xi, xi) / 2 + shift)


def hopfield_stored(d: int, K: float, beta: float, p: float) -> float:
    r"""As many random patterns on a sphere of radius :math:`K\sqrt{d-1}` are stored, at the least.

    .. math::

        N \ge \sqrt{p}\, c^{(d-1)/4}, \qquad c = \frac{b}{W_0(\exp(a + \ln b))}, \qquad
        a = \frac{2}{d-1}\big(1 + \ln(2 \beta K^2 p\, (d-1))\big), \qquad b = \frac{2 K^2 \beta}{5}

    with probability :math:`1 - p` if :math:`c \ge (2/\sqrt p)^{4/(d-1)}`, where :math:`W_0(z)` is the
    :math:`w \ge 0` with :math:`w e^w = z`. Stored means that updates from nearby settle at a point of the
    pattern's own.

    Source: Ramsauer et al. (2021), theorem 3
    """
    a = 2 / (d - 1) * (1 + np.log(2 * beta * K**2 * p * (d - 1)))
    b = 2 * K**2 * beta / 5
    z = np.exp(a + np.log(b))
    w = np.log1p(z)
    for _ in range(50):  # Newton's method
        w = w - (w * np.exp(w) - z) / (np.exp(w) * (1 + w))
    return float(np.sqrt(p) * (b / w) ** ((d - 1) / 4))


def log_sum_exp(x: Float64[np.ndarray, "N"], beta: float) -> float:
    r"""A smooth maximum, :math:`\mathrm{lse}(\beta, x) = \beta^{-1} \log \sum_i \exp(\beta x_i)`.

    Source: Ramsauer et al. (2021), section 2
    """
    return float(np.log(np.sum(np.exp(beta * x))) / beta)


def macaron_block(
    x: Float64[np.ndarray, "n d"], ffn_before: SubLayer, attention: SubLayer, ffn_after: SubLayer
) -> Float64[np.ndarray, "n d"]:
    r"""A block with half a step of a position-wise network on either side of its attention.

    .. math::

        \tilde x &= x + \tfrac{1}{2} \mathrm{FFN}^{down}(x) \\
        \hat x &= \tilde x + \mathrm{MultiHeadAtt}(\tilde x) \\
        x^{new} &= \hat x + \tfrac{1}{2} \mathrm{FFN}^{up}(\hat x)

    The paper's formulas leave out the normalizations; the sub-layers given may contain them.

    Source: Lu et al. (2019), section 3.2
    """
    x_tilde = x + ffn_before(x) / 2
    x_hat = x_tilde + attention(x_tilde)
    return x_hat + ffn_after(x_hat) / 2


def lie_trotter_step(
    x: Float64[np.ndarray, "n d"], h: float, flow_F: Flow, flow_G: Flow
) -> Float64[np.ndarray, "n d"]:
    r"""A step of :math:`dx/dt = F(x) + G(x)`: first F alone moves the particles for a time h, then G alone.

    .. math::

        x(t + h) \approx \phi^G_h\big(\phi^F_h(x(t))\big)

    Source: Lu et al. (2019), section 3
    """
    return flow_G(flow_F(x, h), h)


def strang_step(
    x: Float64[np.ndarray, "n d"], h: float, flow_F: Flow, flow_G: Flow
) -> Float64[np.ndarray, "n d"]:
    r"""A step of :math:`dx/dt = F(x) + G(x)`: G for half the time, F for all of it, G for the other half.

    .. math::

        x(t + h) \approx \phi^G_{h/2}\big(\phi^F_h(\phi^G_{h/2}(x(t)))\big)

    Source: Lu et al. (2019), section 3
    """
    return flow_G(flow_F(flow_G(x, h / 2), h), h / 2)
